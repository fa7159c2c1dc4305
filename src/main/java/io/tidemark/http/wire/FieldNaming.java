package io.tidemark.http.wire;

/**
 * The names that are written if the interface document and the real service name an attribute differently, such as
 * {@code service_coin_id} and {@code social_screen_name}. Both names are always read.
 */
public enum FieldNaming {
  DOCUMENT,
  SERVICE
}
