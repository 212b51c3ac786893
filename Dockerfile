# The image brings its own Node and expects a PostgreSQL outside, so what npm offers of both is left out. Nothing is
# built: Node runs the TypeScript as it is.
FROM node:26-slim

WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY migrations migrations
COPY gen gen
COPY demo demo
COPY src src

# Inside a container, 127.0.0.1 is reachable for nobody; who may connect is decided where the port is published.
ENV NODE_ENV=production HOST=0.0.0.0
USER node
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts", "serve"]
