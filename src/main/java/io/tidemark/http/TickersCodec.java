package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerDescription;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.TickersAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answer of operation 10: the coin's name, and tickers. */
record TickersCodec(Shape<Ticker> shape) implements AnswerCodec<Query.CoinTickers, TickersAnswer> {
  TickersCodec() {
    this(Shape.of(Ticker.class));
  }

  @Override
  public TickersAnswer read(Query.CoinTickers query, JsonParser in) throws IOException {
    var answer = new Envelope();
    Json.members(in, name -> {
      switch (name) {
        case "name" -> answer.name = in.hasToken(JsonToken.VALUE_NULL) ? null : JsonValue.read(in);
        case "tickers" -> answer.tickers = tickers(query, in);
        default -> in.skipChildren();
      }
    });
    return answer.named();
  }

  @Override
  public JsonValue write(Query.CoinTickers query, TickersAnswer answer, NameStyle names) {
    var object = JsonObject.ordered();
    if (answer.name() != null) {
      object.put("name", JsonValue.string(answer.name()));
    }
    var tickers = answer.tickers().stream().map(ticker -> shape.write(ticker, names)).toList();
    return object.put("tickers", JsonValue.list(tickers));
  }

  private List<Seen<Ticker>> tickers(Query.CoinTickers query, JsonParser in) throws IOException {
    var tickers = new ArrayList<Seen<Ticker>>();
    Json.elements(in, () -> tickers.add(
        shape.read(in).set("coin", query.id()).require("market").require("base").require("target").seen()));
    return tickers;
  }

  /** An answer as far as it is read: the name may come last. */
  private static final class Envelope {
    private @Nullable JsonValue name;
    private @Nullable List<Seen<Ticker>> tickers;

    TickersAnswer named() throws IOException {
      if (tickers == null) {
        throw new Malformed("no member tickers");
      }
      var coin = name instanceof JsonValue.Text text ? text.string() : null;
      if (coin != null) {
        tickers.forEach(ticker -> name(ticker.resource(), coin));
      }
      return new TickersAnswer(coin, tickers);
    }

    private static void name(Ticker ticker, String coin) {
      if (ticker.getDescription() == null) {
        ticker.setDescription(new TickerDescription());
      }
      ticker.getDescription().setCoinName(coin);
    }
  }
}
