package io.tidemark.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.util.Map;

/** What Kubernetes says of a manifest: an unknown field or a wrong type is refused. */
final class Kubernetes {

  private static final Map<String, Check> CHECKS = Map.of(
      "apps/v1 StatefulSet", V1StatefulSet::validateJsonElement,
      "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
      "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
      "v1 ConfigMap", V1ConfigMap::validateJsonElement,
      "v1 Pod", V1Pod::validateJsonElement,
      "v1 Service", V1Service::validateJsonElement,
      "v1 ServiceAccount", V1ServiceAccount::validateJsonElement);

  private Kubernetes() {}

  @FunctionalInterface
  interface Check {
    void accept(JsonElement manifest) throws IOException;
  }

  static boolean knows(JsonNode manifest) {
    return CHECKS.containsKey(kind(manifest));
  }

  /** @throws IllegalArgumentException if it is not as its kind is described */
  static void check(JsonNode manifest) throws IOException {
    CHECKS.get(kind(manifest)).accept(JsonParser.parseString(manifest.toString()));
  }

  private static String kind(JsonNode manifest) {
    return manifest.path("apiVersion").asText() + " " + manifest.path("kind").asText();
  }
}
