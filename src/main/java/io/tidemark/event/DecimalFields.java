package io.tidemark.event;

import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Which strings are decimals, and what number they are: the service sends many figures as text, and conditions compare
 * them as doubles.
 *
 * <p>A schema says {@code string} for a name and for a price alike, so that the digits stay as sent. This table tells
 * them apart: in the records listed every string is a decimal, elsewhere only the fields listed. A new facet whose
 * strings are figures gets its line here.
 */
public final class DecimalFields {

  private static final Set<String> RECORDS = Set.of(
      "PoolPrice",
      "PoolTokenPrice",
      "PoolLiquidity",
      "PoolComposition",
      "PoolLock",
      "PoolValuation",
      "TokenSupply",
      "TokenPrice",
      "TokenValuation",
      "TokenLiquidity",
      "TokenVolume",
      "DerivativesExchangeVolume",
      "Windows",
      "ConvertedText");

  private static final Set<String> FIELDS = Set.of("PoolDescription.pool_fee_percentage");

  private DecimalFields() {}

  /** Whether a string in this field is a decimal. */
  public static boolean isDecimal(Schema owner, Schema.Field field) {
    return RECORDS.contains(owner.getName()) || FIELDS.contains(owner.getName() + "." + field.name());
  }

  /** The number a text stands for; null for {@code NaN}, infinities and what is no number. */
  public static @Nullable Double parse(String text) {
    try {
      return finite(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The number itself, or null where no comparison with it could mean anything. */
  public static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }
}
