{{/* Fails with a sentence if values can't work. What a schema can say is in values.schema.json. */}}
{{- define "authorization.checks" -}}
{{- if not .Values.database.url.existingSecret }}
{{- fail "\ndatabase.url.existingSecret: name a Secret with the URL of your Postgres under the key of database.url.key." }}
{{- end }}
{{- include "authorization.checkNames" (dict "root" . "values" "env") }}
{{- include "authorization.checkNames" (dict "root" . "values" "secretEnv") }}
{{- range $name, $_ := .Values.secretEnv }}
{{- if hasKey $.Values.env $name }}{{ fail (printf "\nenv.%s: is also in secretEnv. Set it once." $name) }}{{ end }}
{{- end }}
{{- with .Values.caCertificates }}
{{- if and .existingConfigMap .existingSecret }}
{{- fail "\ncaCertificates: name either a ConfigMap or a Secret." }}
{{- end }}
{{- end }}
{{- with .Values.init }}
{{- if .enabled }}
{{- if not .organization }}{{ fail "\ninit.organization: name the organization of the first owner." }}{{ end }}
{{- if not .login }}{{ fail "\ninit.login: give the name the first owner signs in with, such as ann@acme.example." }}{{ end }}
{{- if not (or .userId .token) }}
{{- fail "\ninit.userId: give the owner's `sub` at your issuer, or set init.token to true. Otherwise, the owner can't sign in." }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) }}
{{- fail "\ningress.hosts: name the hosts under which clients reach the service." }}
{{- end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}
{{- fail "\nhttpRoute.parentRefs: name the gateway, such as [{ name: public, namespace: gateways }]." }}
{{- end }}
{{- with .Values.httpRoute }}
{{- if and .enabled $.Values.tls.existingSecret (not .backendTls.hostname) }}
{{- fail "\nhttpRoute.backendTls.hostname: give the name in the certificate of tls.existingSecret. Otherwise, the gateway doesn't use TLS, and the servers refuse it." }}
{{- end }}
{{- end }}
{{- with .Values.metrics }}
{{- if and (or .podMonitor.enabled .prometheusRule.enabled) (not .enabled) }}
{{- fail "\nmetrics.enabled: must be true for metrics.podMonitor and metrics.prometheusRule." }}
{{- end }}
{{- end }}
{{- $given := merge (dict) .Values.env .Values.secretEnv }}
{{- if and (hasKey $given "JWT_ISSUER") (not (hasKey $given "JWT_AUDIENCE")) }}
{{- fail "\nenv.JWT_ISSUER: needs JWT_AUDIENCE. Otherwise, tokens that are meant for others would be accepted." }}
{{- end }}
{{- with .Values.autoscaling }}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) }}
{{- fail "\nautoscaling.minReplicas: must be at most autoscaling.maxReplicas." }}
{{- end }}
{{- end }}
{{- end }}

{{/* Names of settings. files/settings.json has all of them, and a sentence for each that is set in another way. */}}
{{- define "authorization.checkNames" -}}
{{- $values := .values }}
{{- $settings := .root.Files.Get "files/settings.json" | fromJson }}
{{- range $name, $_ := index .root.Values $values }}
{{- if not (hasKey $settings $name) }}
{{- fail (printf "\n%s.%s: there is no such setting. See docs/reference/configuration.md." $values $name) }}
{{- end }}
{{- $elsewhere := index $settings $name }}
{{- if and $elsewhere (not (and (eq $values "secretEnv") (contains "secretEnv" $elsewhere))) }}
{{- fail (printf "\n%s.%s: %s" $values $name $elsewhere) }}
{{- end }}
{{- end }}
{{- end }}
