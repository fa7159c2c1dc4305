package io.tidemark.http.wire;

/**
 * Which names are written if the interface document and the real service differ, as in {@code service_coin_id} and
 * {@code social_screen_name}. Both names are always read.
 */
public enum FieldNaming {
  DOCUMENT,
  SERVICE
}
