{{- define "tidemark.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tidemark.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "tidemark.mounts" -}}
- { name: config, mountPath: /etc/tidemark, readOnly: true }
- { name: data, mountPath: /var/lib/tidemark }
- { name: tmp, mountPath: /tmp }
{{- range include "tidemark.secretFiles" . | fromJsonArray }}
- { name: {{ .name }}, mountPath: /run/secrets/{{ .name }}, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "tidemark.volumes" -}}
- name: config
  configMap: { name: {{ include "tidemark.fullname" . }} }
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- range include "tidemark.secretFiles" . | fromJsonArray }}
- name: {{ .name }}
  secret: { secretName: {{ .secret }}, defaultMode: 0440 }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
