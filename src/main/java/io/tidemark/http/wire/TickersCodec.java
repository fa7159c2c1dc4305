package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerDescription;
import io.tidemark.http.wire.JsonValue.JsonText;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answer of operation 10: the name of a coin, and its tickers. */
final class TickersCodec implements AnswerCodec<Query.CoinTickers, TickersAnswer> {
  private static final String NAME = "name";
  private static final String COIN_NAME = "description.coin_name";
  private final ResourceCodec<Ticker> codec = ResourceCodec.of(Ticker.class);

  @Override
  public TickersAnswer read(Query.CoinTickers query, JsonParser in) throws IOException {
    var answer = new PartialTickers();
    StrictJson.members(in, name -> {
      switch (name) {
        case NAME -> answer.name = JsonValue.read(in);
        case "tickers" -> answer.tickers = tickers(query, in);
        default -> answer.undocumented.add(name, JsonValue.read(in));
      }
    });
    return answer.toAnswer();
  }

  @Override
  public JsonValue write(Query.CoinTickers query, TickersAnswer answer, FieldNaming naming) {
    var object = JsonObject.ordered();
    if (answer.name() != null) {
      object.put(NAME, JsonValue.string(answer.name()));
    } else if (answer.tickers().stream().anyMatch(ticker -> ticker.nulls().contains(COIN_NAME))) {
      object.put(NAME, JsonText.NULL);
    }
    var tickers = answer.tickers().stream().map(ticker -> codec.write(ticker, naming)).toList();
    var undocumented =
        tickers.stream().map(UndocumentedMembers::detachFrom).reduce(new UndocumentedMembers(), (one, other) -> other);
    return undocumented.addTo(object.put("tickers", JsonValue.list(tickers)));
  }

  @Override
  public ObjectNode schema(AnswerSchemas schemas) {
    var object = AnswerSchemas.objectWith("tickers", AnswerSchemas.list(schemas.resource(codec)));
    AnswerSchemas.addMember(object, NAME, AnswerSchemas.orNull(AnswerSchemas.text()));
    return object;
  }

  private List<DecodedResource<Ticker>> tickers(Query.CoinTickers query, JsonParser in) throws IOException {
    var tickers = new ArrayList<DecodedResource<Ticker>>();
    StrictJson.elements(in, () -> tickers.add(
        codec.read(in).set("coin", query.id()).require("market").require("base").require("target")));
    return tickers;
  }

  /** An answer that is partly read. The name may come last. */
  private static final class PartialTickers {
    private final UndocumentedMembers undocumented = new UndocumentedMembers();
    private @Nullable JsonValue name;
    private @Nullable List<DecodedResource<Ticker>> tickers;

    TickersAnswer toAnswer() throws MalformedAnswerException {
      if (tickers == null) {
        throw new MalformedAnswerException("no member tickers");
      }
      var coin = name == null ? null : name.text();
      if (name != null && coin == null && !name.equals(JsonText.NULL)) {
        undocumented.add(NAME, name);
      }
      tickers.forEach(ticker -> setName(ticker, coin));
      return new TickersAnswer(coin,
          tickers.stream().map(ticker -> undocumented.attachTo(ticker).toObservation()).toList());
    }

    private void setName(DecodedResource<Ticker> ticker, @Nullable String coin) {
      if (coin != null) {
        var description = ticker.resource().getDescription();
        ticker.resource().setDescription(description == null ? new TickerDescription() : description);
        ticker.resource().getDescription().setCoinName(coin);
      } else if (name != null) {
        ticker.nulls().add(COIN_NAME);
      }
    }
  }
}
