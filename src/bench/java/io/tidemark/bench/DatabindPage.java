package io.tidemark.bench;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of pools as a program would read it that does nothing else: Jackson's databind into records. */
record DatabindPage(List<PoolObject> data, List<IncludedObject> included) {
  /** An attribute that these records lack fails the reading: none is skipped. */
  private static final JsonMapper JSON = JsonMapper.builder()
      .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
      .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .build();

  static DatabindPage read(byte[] body) {
    try {
      return JSON.readValue(body, DatabindPage.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A pool. */
  record PoolObject(String id, String type, PoolAttributes attributes, Relationships relationships) {}

  /** The attributes of a pool, numbers as they are sent. */
  record PoolAttributes(@Nullable String address, @Nullable String name, @Nullable String poolCreatedAt,
      @Nullable String baseTokenPriceUsd, @Nullable String baseTokenPriceNativeCurrency,
      @Nullable String quoteTokenPriceUsd, @Nullable String quoteTokenPriceNativeCurrency,
      @Nullable String baseTokenPriceQuoteToken, @Nullable String quoteTokenPriceBaseToken,
      @Nullable String reserveInUsd, @Nullable TextWindows priceChangePercentage,
      @Nullable TransactionWindows transactions, @Nullable TextWindows volumeUsd, @Nullable String fdvUsd,
      @Nullable String marketCapUsd) {}

  /** A figure in each window. */
  record TextWindows(@Nullable String m5, @Nullable String m15, @Nullable String m30, @Nullable String h1,
      @Nullable String h6, @Nullable String h24) {}

  /** Transactions in each window. */
  record TransactionWindows(@Nullable Transactions m5, @Nullable Transactions m15, @Nullable Transactions m30,
      @Nullable Transactions h1, @Nullable Transactions h6, @Nullable Transactions h24) {}

  /** Transactions in one window. */
  record Transactions(@Nullable Long buys, @Nullable Long sells, @Nullable Long buyers, @Nullable Long sellers) {}

  /** The related resources of a pool. */
  record Relationships(Relationship baseToken, Relationship quoteToken, Relationship dex) {}

  /** One related resource. */
  record Relationship(Reference data) {}

  /** The id of a resource. */
  record Reference(String id, String type) {}

  /** A token or an exchange. */
  record IncludedObject(String id, String type, IncludedAttributes attributes) {}

  /** The attributes of a token or of an exchange. */
  record IncludedAttributes(@Nullable String address, @Nullable String name, @Nullable String symbol,
      @Nullable Long decimals, @Nullable String serviceCoinId, @Nullable String imageUrl) {}
}
