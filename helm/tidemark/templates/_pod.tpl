{{- /* Without what is null: a platform that chooses users refuses a pod that names one. */ -}}
{{- define "tidemark.podSecurity" -}}
{{- $given := dict -}}
{{- range $name, $value := .Values.podSecurityContext -}}
{{- if not (kindIs "invalid" $value) -}}
{{- $_ := set $given $name $value -}}
{{- end -}}
{{- end -}}
{{ toYaml $given }}
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
