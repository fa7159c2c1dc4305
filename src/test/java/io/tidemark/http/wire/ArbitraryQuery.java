package io.tidemark.http.wire;

import io.tidemark.market.Query;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** A random query of a given operation. */
final class ArbitraryQuery {
  private static final String[] IDS = {"eth", "polygon_pos", "0xAbC", "..", ".", "a/b", "a b+c%2F?&=#", "日本 🦄", "~-_",
    "100%", "x,y:z", "\u0000"};
  private static final Set<String> MAY_BE_LEFT_OUT = Set.of("SearchPools.network", "CoinTickers.exchangeIds",
      "DerivativesExchangeById.includeTickers", "AssetPlatforms.filter");

  private ArbitraryQuery() {}

  static <Q extends Query<?>> Q of(Class<Q> type, Random random) {
    var components = type.getRecordComponents();
    var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    var values = Arrays.stream(components).map(each -> value(type, each, random)).toArray();
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static String id(Random random) {
    return IDS[random.nextInt(IDS.length)];
  }

  private static Object value(Class<?> query, RecordComponent component, Random random) {
    if (MAY_BE_LEFT_OUT.contains(query.getSimpleName() + "." + component.getName()) && random.nextBoolean()) {
      return null;
    }
    return value(component.getGenericType(), random);
  }

  private static Object value(Type type, Random random) {
    return switch (type) {
      case ParameterizedType set -> subset((Class<?>) set.getActualTypeArguments()[0], random);
      case Class<?> text when text == String.class -> id(random);
      case Class<?> flag when flag == boolean.class -> random.nextBoolean();
      case Class<?> page when page == int.class -> 1 + random.nextInt(200);
      case Class<?> day when day == LocalDate.class -> LocalDate.EPOCH.plusDays(random.nextInt(30_000));
      case Class<?> one when one.isEnum() -> one.getEnumConstants()[random.nextInt(one.getEnumConstants().length)];
      default -> throw new IllegalStateException(type.toString());
    };
  }

  private static Set<?> subset(Class<?> type, Random random) {
    return Arrays.stream(type.getEnumConstants()).filter(each -> random.nextBoolean())
        .collect(Collectors.toUnmodifiableSet());
  }
}
