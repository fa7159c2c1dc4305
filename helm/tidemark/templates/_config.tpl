{{- /* tidemark.yaml. Secrets stand in it as ${VARIABLE} only. */ -}}
{{- define "tidemark.config" -}}
{{- $kafka := .Values.kafka -}}
{{- $properties := dict -}}
{{- if or $kafka.tls.enabled $kafka.sasl.mechanism -}}
{{- $protocol := printf "%s%s" (ternary "SASL_" "" (ne $kafka.sasl.mechanism "")) (ternary "SSL" "PLAINTEXT" $kafka.tls.enabled) -}}
{{- $_ := set $properties "security.protocol" $protocol -}}
{{- end -}}
{{- if and $kafka.tls.enabled $kafka.tls.caSecret.name -}}
{{- $_ := set $properties "ssl.truststore.type" "PEM" -}}
{{- $_ := set $properties "ssl.truststore.location" (printf "/run/secrets/kafka-ca/%s" $kafka.tls.caSecret.key) -}}
{{- end -}}
{{- if and $kafka.tls.enabled $kafka.tls.clientSecret.name -}}
{{- $_ := set $properties "ssl.keystore.type" "PEM" -}}
{{- $_ := set $properties "ssl.keystore.certificate.chain" "${KAFKA_CLIENT_CERTIFICATE}" -}}
{{- $_ := set $properties "ssl.keystore.key" "${KAFKA_CLIENT_KEY}" -}}
{{- end -}}
{{- if eq $kafka.sasl.mechanism "OAUTHBEARER" -}}
{{- $_ := set $properties "sasl.mechanism" "OAUTHBEARER" -}}
{{- $_ := set $properties "sasl.jaas.config" "${KAFKA_LOGIN_MODULE}" -}}
{{- $_ := set $properties "sasl.login.callback.handler.class" "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler" -}}
{{- $_ := set $properties "sasl.oauthbearer.token.endpoint.url" $kafka.sasl.oauth.tokenEndpoint -}}
{{- $_ := set $properties "sasl.oauthbearer.client.credentials.client.id" "${KAFKA_USER}" -}}
{{- $_ := set $properties "sasl.oauthbearer.client.credentials.client.secret" "${KAFKA_PASSWORD}" -}}
{{- with $kafka.sasl.oauth.scope -}}
{{- $_ := set $properties "sasl.oauthbearer.scope" . -}}
{{- end -}}
{{- else if $kafka.sasl.mechanism -}}
{{- $module := ternary "plain.PlainLoginModule" "scram.ScramLoginModule" (eq $kafka.sasl.mechanism "PLAIN") -}}
{{- $login := printf "org.apache.kafka.common.security.%s required username=\"${KAFKA_USER}\" password=\"${KAFKA_PASSWORD}\";" $module -}}
{{- $_ := set $properties "sasl.mechanism" $kafka.sasl.mechanism -}}
{{- $_ := set $properties "sasl.jaas.config" $login -}}
{{- end -}}
{{- $registry := dict "url" .Values.registry.url -}}
{{- if .Values.registry.secret.name -}}
{{- $_ := set $registry "user" "${REGISTRY_USER}" -}}
{{- $_ := set $registry "password" "${REGISTRY_PASSWORD}" -}}
{{- end -}}
{{- if .Values.registry.caSecret.name -}}
{{- $_ := set $registry "ca-file" (printf "/run/secrets/registry-ca/%s" .Values.registry.caSecret.key) -}}
{{- end -}}
{{- $web := mergeOverwrite (dict "anonymous" .Values.web.anonymous) (deepCopy (default dict .Values.config.web)) (dict "address" "0.0.0.0" "port" 8080) -}}
{{- if .Values.web.keys -}}
{{- $_ := set $web "keys" .Values.web.keys -}}
{{- end -}}
{{- if and (empty $web.keys) (ne $web.anonymous "read") -}}
{{- fail "web.keys: nobody could read: put in a line that 'tidemark key new' prints, or set web.anonymous to read where networkPolicy.web or a proxy decides who comes" -}}
{{- end -}}
{{- $role := index .Values.roles (ternary "web" "together" .Values.roles.apart) -}}
{{- $replicas := int $role.replicas -}}
{{- with $role.autoscaling -}}
{{- if .enabled -}}
{{- $replicas = max $replicas (int .maxReplicas) -}}
{{- end -}}
{{- end -}}
{{- if and $web.keys (gt (int $replicas) 1) (empty .Values.web.sessionSecret.name) -}}
{{- fail "web.sessionSecret.name: with several replicas, logins of the page need a secret that all replicas share; 'kubectl create secret generic tidemark-web --from-literal=session-secret=$(openssl rand -base64 32)' makes one" -}}
{{- end -}}
{{- if .Values.web.sessionSecret.name -}}
{{- $_ := set $web "session-secret" "${WEB_SESSION_SECRET}" -}}
{{- end -}}
{{- with .Values.web.tlsSecret -}}
{{- if .name -}}
{{- $_ := set $web "tls" (dict "certificate" (printf "/run/secrets/web-tls/%s" .certificate) "key" (printf "/run/secrets/web-tls/%s" .key)) -}}
{{- end -}}
{{- end -}}
{{- $all := dict
      "kafka" (dict "bootstrap-servers" $kafka.bootstrapServers "require-transaction-version" $kafka.requireTransactionVersion "properties" (mergeOverwrite $properties $kafka.properties))
      "registry" $registry
      "web" $web
      "management" (dict "address" "0.0.0.0" "port" 9090) -}}
{{- mergeOverwrite (omit (deepCopy .Values.config) "web") $all | toYaml -}}
{{- end }}

{{- define "tidemark.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key | quote }} } }
{{- end }}

{{- define "tidemark.variables" -}}
{{- with .Values.kafka.sasl -}}
{{- if .mechanism }}
{{ include "tidemark.secretVariable" (dict "name" "KAFKA_USER" "secret" .secret.name "key" .secret.userKey) }}
{{ include "tidemark.secretVariable" (dict "name" "KAFKA_PASSWORD" "secret" .secret.name "key" .secret.passwordKey) }}
{{- end }}
{{- end }}
{{- if eq .Values.kafka.sasl.mechanism "OAUTHBEARER" }}
- name: KAFKA_LOGIN_MODULE
  value: org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
{{- end }}
{{- with .Values.kafka.tls.clientSecret -}}
{{- if and $.Values.kafka.tls.enabled .name }}
{{ include "tidemark.secretVariable" (dict "name" "KAFKA_CLIENT_CERTIFICATE" "secret" .name "key" .certificate) }}
{{ include "tidemark.secretVariable" (dict "name" "KAFKA_CLIENT_KEY" "secret" .name "key" .key) }}
{{- end }}
{{- end }}
{{- with .Values.registry.secret -}}
{{- if .name }}
{{ include "tidemark.secretVariable" (dict "name" "REGISTRY_USER" "secret" .name "key" .userKey) }}
{{ include "tidemark.secretVariable" (dict "name" "REGISTRY_PASSWORD" "secret" .name "key" .passwordKey) }}
{{- end }}
{{- end }}
{{- with .Values.web.sessionSecret -}}
{{- if .name }}
{{ include "tidemark.secretVariable" (dict "name" "WEB_SESSION_SECRET" "secret" .name "key" .key) }}
{{- end }}
{{- end }}
{{- range .Values.secretVariables }}
{{ include "tidemark.secretVariable" . }}
{{- end }}
{{- range $name, $value := .Values.variables }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Secrets that are files: name of the volume and folder, and the secret. */ -}}
{{- define "tidemark.secretFiles" -}}
{{- $files := .Values.secretFiles -}}
{{- if and .Values.kafka.tls.enabled .Values.kafka.tls.caSecret.name -}}
{{- $files = append $files (dict "name" "kafka-ca" "secret" .Values.kafka.tls.caSecret.name) -}}
{{- end -}}
{{- if .Values.registry.caSecret.name -}}
{{- $files = append $files (dict "name" "registry-ca" "secret" .Values.registry.caSecret.name) -}}
{{- end -}}
{{- if .Values.web.tlsSecret.name -}}
{{- $files = append $files (dict "name" "web-tls" "secret" .Values.web.tlsSecret.name) -}}
{{- end -}}
{{ $files | toJson }}
{{- end }}
