# The image brings its own Node and expects a PostgreSQL outside, so what npm offers of both is left out. Only the console
# is built: Node runs the TypeScript as it is.
#
# A release gives the digest of the base image (.github/workflows/release.yml), so the same source makes the same image.
ARG BASE=node:26-slim

FROM ${BASE} AS console

WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts scripts
COPY client client
# With optional packages: the build tools' binaries are among them.
RUN npm ci
COPY console console
RUN npm run build:console

FROM ${BASE}

WORKDIR /app
COPY package.json package-lock.json ./
# What npm leaves behind has dates in it.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force && rm -rf /root/.npm /tmp/*
COPY migrations migrations
COPY gen gen
COPY demo demo
COPY src src
# For `npm run cli` and `npm start`, which the service names in what it prints.
COPY scripts/ensure-installed.cjs scripts/
COPY ops/health-check.cjs ops/service-role.sql ops/
COPY --from=console /app/console/dist console/dist

# Inside a container, 127.0.0.1 is reachable for nobody; who may connect is decided where the port is published.
ENV NODE_ENV=production HOST=0.0.0.0
# The base image's user node, by its number, so that a cluster can tell it is not root (runAsNonRoot).
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "ops/health-check.cjs"]
CMD ["node", "src/main.ts", "serve"]
