package io.tidemark.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** An answer as Confluent's schema registry words it. */
record RegistryAnswer(int status, JsonNode body) {

  static RegistryAnswer of(JsonNode body) {
    return new RegistryAnswer(200, body);
  }

  static RegistryAnswer noSubject(String subject) {
    return error(404, 40401, "Subject '" + subject + "' not found.");
  }

  static RegistryAnswer noVersion(String version) {
    return error(404, 40402, "Version " + version + " not found.");
  }

  static RegistryAnswer noSchema(String what) {
    return error(404, 40403, "Schema " + what + " not found.");
  }

  static RegistryAnswer badSchema(Throwable why) {
    return error(422, 42201, "Invalid schema: " + why.getMessage());
  }

  static RegistryAnswer badVersion(String version) {
    return error(
        422, 42202, "The specified version '" + version + "' is not a valid version id: 1 and up, or \"latest\".");
  }

  static RegistryAnswer readOnly(String subject) {
    return error(
        422, 42205, "Subject " + subject + " is in read-only mode: its schemas are those this version came with.");
  }

  private static RegistryAnswer error(int status, int code, String message) {
    return new RegistryAnswer(
        status, JsonNodeFactory.instance.objectNode().put("error_code", code).put("message", message));
  }
}
