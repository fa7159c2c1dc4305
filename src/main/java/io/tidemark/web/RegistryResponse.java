package io.tidemark.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** An answer as Confluent's schema registry words it. */
record RegistryResponse(int status, JsonNode body) {

  static RegistryResponse of(JsonNode body) {
    return new RegistryResponse(200, body);
  }

  static RegistryResponse noSubject(String subject) {
    return error(404, 40401, "Subject '" + subject + "' not found.");
  }

  static RegistryResponse noVersion(String version) {
    return error(404, 40402, "Version " + version + " not found.");
  }

  static RegistryResponse noSchema(String what) {
    return error(404, 40403, "Schema " + what + " not found.");
  }

  static RegistryResponse badSchema(Throwable why) {
    return error(422, 42201, "Invalid schema: " + why.getMessage());
  }

  static RegistryResponse badVersion(String version) {
    return error(
        422, 42202, "The specified version '" + version + "' is not a valid version id: 1 and up, or \"latest\".");
  }

  static RegistryResponse readOnly(String subject) {
    return error(
        422, 42205, "Subject " + subject + " is in read-only mode: its schemas are those this version came with.");
  }

  private static RegistryResponse error(int status, int code, String message) {
    return new RegistryResponse(
        status, JsonNodeFactory.instance.objectNode().put("error_code", code).put("message", message));
  }
}
