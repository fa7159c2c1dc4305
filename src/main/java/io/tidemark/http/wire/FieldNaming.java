package io.tidemark.http.wire;

/**
 * Which names are written where the document and the real service differ: {@code service_coin_id} and {@code
 * social_screen_name}, or the service's own. Both are read always.
 */
public enum FieldNaming {
  DOCUMENT,
  SERVICE
}
