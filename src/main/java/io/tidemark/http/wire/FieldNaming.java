package io.tidemark.http.wire;

/**
 * The choice of the name to write for an attribute that the interface document and the real service name differently,
 * such as {@code service_coin_id} and {@code social_screen_name}. Both names are always read.
 */
public enum FieldNaming {
  DOCUMENT,
  SERVICE
}
