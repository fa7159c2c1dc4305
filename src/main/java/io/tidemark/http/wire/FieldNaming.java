package io.tidemark.http.wire;

/**
 * Which names are written where the document and the real service differ, as in {@code service_coin_id} and {@code
 * social_screen_name}. Both are always read.
 */
public enum FieldNaming {
  DOCUMENT,
  SERVICE
}
