package io.tidemark.receiver;

import java.util.Map;

/** A message as it leaves. */
public record Post(String contentType, String body, Map<String, String> headers) {

  static Post json(Object body) {
    return new Post("application/json", Json.text(body), Map.of());
  }
}
