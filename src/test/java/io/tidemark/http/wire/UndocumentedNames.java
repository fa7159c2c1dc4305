package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.event.Extra;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Observation;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was undocumented in an answer. */
final class UndocumentedNames {
  private static final JsonMapper JSON = new JsonMapper();

  private UndocumentedNames() {}

  /** Paths of the undocumented values, each with the resource's type in front. */
  static Set<String> names(Object answer) {
    return observations(answer).flatMap(UndocumentedNames::names).collect(Collectors.toSet());
  }

  static Stream<Observation<?>> observations(Object answer) {
    return switch (answer) {
      case null -> Stream.empty();
      case Observation<?> observation -> Stream.of(observation);
      case List<?> list -> list.stream().flatMap(UndocumentedNames::observations);
      case TokenAnswer token -> Stream.of(token.token());
      case TickersAnswer tickers -> observations(tickers.tickers());
      case DerivativesAnswer all -> Stream.concat(Stream.of(all.exchange()), observations(all.tickers()));
      case TreasuryAnswer all -> Stream.concat(Stream.of(all.treasury()), observations(all.holdings()));
      case OnChainAnswer<?> chain -> Stream.concat(observations(chain.data()), chain.included() == null ? Stream.empty()
          : Stream.concat(observations(chain.included().pools()), observations(chain.included().tokens())));
      default -> throw new IllegalArgumentException(answer.toString());
    };
  }

  private static Stream<String> names(Observation<?> observation) {
    var schema = observation.resource().getSchema();
    return observation.resource().get(schema.getField("extra").pos()) instanceof Extra extra
        ? names(schema.getName(), tree(extra.getJson()))
        : Stream.empty();
  }

  private static Stream<String> names(String path, JsonNode node) {
    return node.isObject()
        ? node.propertyStream().flatMap(member -> names(path + "." + member.getKey(), member.getValue()))
        : Stream.of(path);
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
