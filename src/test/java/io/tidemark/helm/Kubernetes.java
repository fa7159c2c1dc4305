package io.tidemark.helm;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.util.Map;

/** Validates manifests by the models of Kubernetes and its extensions: no unknown field, no wrong type. */
final class Kubernetes {

  /** Strict: the operator's models accept unknown fields, and Jackson converts numbers to texts, by default. */
  private static final ObjectMapper STRICT = JsonMapper.builder()
      .annotationIntrospector(new JacksonAnnotationIntrospector() {
        @Override
        public Boolean hasAnySetter(Annotated annotated) {
          return false;
        }
      })
      .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
      .withCoercionConfig(LogicalType.Textual, config -> config
          .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
          .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
          .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
      .build();

  private static final Map<String, Check> CHECKS = Map.ofEntries(
      entry("apps/v1 StatefulSet", own(V1StatefulSet::validateJsonElement)),
      entry("apps/v1 Deployment", own(V1Deployment::validateJsonElement)),
      entry("autoscaling/v2 HorizontalPodAutoscaler", own(V2HorizontalPodAutoscaler::validateJsonElement)),
      entry("networking.k8s.io/v1 Ingress", own(V1Ingress::validateJsonElement)),
      entry("networking.k8s.io/v1 NetworkPolicy", own(V1NetworkPolicy::validateJsonElement)),
      entry("policy/v1 PodDisruptionBudget", own(V1PodDisruptionBudget::validateJsonElement)),
      entry("v1 ConfigMap", own(V1ConfigMap::validateJsonElement)),
      entry("v1 Pod", own(V1Pod::validateJsonElement)),
      entry("v1 Service", own(V1Service::validateJsonElement)),
      entry("v1 ServiceAccount", own(V1ServiceAccount::validateJsonElement)),
      entry("gateway.networking.k8s.io/v1 HTTPRoute", manifest -> STRICT.treeToValue(manifest, HTTPRoute.class)),
      entry("monitoring.coreos.com/v1 ServiceMonitor", manifest -> STRICT.treeToValue(manifest, ServiceMonitor.class)),
      entry("monitoring.coreos.com/v1 PrometheusRule", manifest -> STRICT.treeToValue(manifest, PrometheusRule.class)));

  private Kubernetes() {}

  @FunctionalInterface
  private interface Check {
    void accept(JsonNode manifest) throws IOException;
  }

  @FunctionalInterface
  private interface OwnCheck {
    void accept(JsonElement manifest) throws IOException;
  }

  private static Check own(OwnCheck check) {
    return manifest -> check.accept(JsonParser.parseString(manifest.toString()));
  }

  /** @throws Exception if the manifest is invalid, or its kind unknown */
  static void check(JsonNode manifest) throws Exception {
    var kind = manifest.path("apiVersion").asText() + " " + manifest.path("kind").asText();
    var check = CHECKS.get(kind);
    if (check == null) {
      throw new IllegalArgumentException("a manifest of an unknown kind: " + kind);
    }
    check.accept(manifest);
  }
}
