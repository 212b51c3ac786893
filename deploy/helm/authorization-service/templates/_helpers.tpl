{{/* All names begin with this. A part of another chart can't have the release's name for itself. */}}
{{- define "authorization.fullname" -}}
{{- $default := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (eq .Chart.IsRoot true) -}}
{{- .Values.fullnameOverride | default $default | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{/* What selects the pods of one component: the servers, or one of the Jobs. */}}
{{- define "authorization.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "authorization.labels" -}}
{{ include "authorization.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end }}

{{- define "authorization.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "authorization.fullname" .) "default" .Values.serviceAccount.create) -}}
{{- end }}

{{- define "authorization.servicePort" -}}
{{- .Values.service.port | default (ternary 443 80 (ne .Values.tls.existingSecret "")) -}}
{{- end }}

{{/* The value of a variable. Helm reads numbers as floats, and would write large ones with an exponent. */}}
{{- define "authorization.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}{{ else }}{{ toString . }}{{ end -}}
{{- end }}

{{/* A variable from an existing Secret. */}}
{{- define "authorization.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret | quote }}
      key: {{ .key | quote }}
{{- end }}

{{- define "authorization.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "authorization.hasCaCertificates" -}}
{{- with .Values.caCertificates }}{{ if or .existingConfigMap .existingSecret }}true{{ end }}{{ end -}}
{{- end }}

{{/* Variables of servers and Jobs. */}}
{{- define "authorization.sharedVariables" -}}
{{- if include "authorization.hasCaCertificates" . }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/authorization/authorities/ca.crt
{{- end }}
{{- end }}

{{- define "authorization.sharedVolumes" -}}
{{- if include "authorization.hasCaCertificates" . }}
- name: authorities
  {{- with .Values.caCertificates }}
  {{- if .existingConfigMap }}
  configMap:
    name: {{ .existingConfigMap | quote }}
    items: [{ key: {{ .key | quote }}, path: ca.crt }]
  {{- else }}
  secret:
    secretName: {{ .existingSecret | quote }}
    items: [{ key: {{ .key | quote }}, path: ca.crt }]
  {{- end }}
  {{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "authorization.sharedMounts" -}}
{{- if include "authorization.hasCaCertificates" . }}
- name: authorities
  mountPath: /etc/authorization/authorities
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Of servers and Jobs: who they run as, and where. */}}
{{- define "authorization.sharedPod" -}}
automountServiceAccountToken: false
# Otherwise, a Service named metrics would set METRICS_PORT.
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "authorization.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Only DNS is the same everywhere. */}}
{{- define "authorization.egress" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{ toYaml .Values.networkPolicy.egress }}
{{- end }}

{{/* A Job that runs a command as the owner of the database, before anything else of the release is created or changed. */}}
{{- define "authorization.job" -}}
{{- $root := .root -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "authorization.fullname" $root }}-{{ .component }}
  labels:
    {{- include "authorization.labels" . | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: {{ .weight | quote }}
    # It stays when it is done, for its log.
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 3
  ttlSecondsAfterFinished: 86400
  template:
    metadata:
      labels:
        {{- include "authorization.labels" . | nindent 8 }}
    spec:
      restartPolicy: Never
      {{- include "authorization.sharedPod" $root | nindent 6 }}
      containers:
        - name: {{ .component }}
          image: {{ include "authorization.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          command:
            {{- toYaml .command | nindent 12 }}
          env:
            {{- $owner := $root.Values.database.ownerUrl }}
            {{- $secret := $owner.existingSecret | default $root.Values.database.url.existingSecret }}
            {{- include "authorization.secretVariable" (dict "name" "DATABASE_URL" "secret" $secret "key" $owner.key) | nindent 12 }}
            # Only `migrate` migrates, with migrations.enabled.
            - name: MIGRATE
              value: "false"
            {{- with include "authorization.sharedVariables" $root | trim }}
            {{- . | nindent 12 }}
            {{- end }}
          resources:
            {{- toYaml $root.Values.migrations.resources | nindent 12 }}
          securityContext:
            {{- include "authorization.containerSecurity" $root | nindent 12 }}
          {{- with include "authorization.sharedMounts" $root | trim }}
          volumeMounts:
            {{- . | nindent 12 }}
          {{- end }}
      {{- with include "authorization.sharedVolumes" $root | trim }}
      volumes:
        {{- . | nindent 8 }}
      {{- end }}
{{- end }}
