package io.tidemark.topic;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A user and password for a registry. */
public record RegistryLogin(String user, String password) {

  /** Value of the {@code Authorization} header. */
  String basic() {
    return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "Login[user=" + user + "]";
  }
}
