package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.market.DerivativesAnswer;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answer of operation 11: an exchange, and its contracts as tickers. */
record DerivativesCodec(Shape<DerivativesExchange> exchange, Shape<Contract> contract)
    implements AnswerCodec<Query.DerivativesExchangeById, DerivativesAnswer> {
  private static final String TICKERS = "tickers";

  DerivativesCodec() {
    this(Shape.of(DerivativesExchange.class), Shape.of(Contract.class));
  }

  @Override
  public DerivativesAnswer read(Query.DerivativesExchangeById query, JsonParser in) throws IOException {
    var contracts = new Rows<Contract>(TICKERS, parser -> contracts(query.id(), parser));
    var found = exchange.read(in, contracts).set("id", query.id());
    return new DerivativesAnswer(found.seen(), contracts.rows());
  }

  @Override
  public JsonValue write(Query.DerivativesExchangeById query, DerivativesAnswer answer, NameStyle names) {
    var object = exchange.write(answer.exchange(), names);
    if (answer.tickers() != null) {
      var tickers = answer.tickers().stream().map(each -> contract.write(each, names)).toList();
      object.put(TICKERS, JsonValue.list(tickers));
    }
    return object;
  }

  /** An array, or (seen too) an object with arrays inside. */
  private List<Seen<Contract>> contracts(String exchange, JsonParser in) throws IOException {
    var contracts = new ArrayList<Seen<Contract>>();
    if (in.hasToken(JsonToken.START_OBJECT)) {
      Json.members(in, name -> contracts.addAll(contracts(exchange, in)));
    } else {
      Json.elements(in, () -> contracts.add(
          contract.read(in).set("exchange", exchange).require("symbol").seen()));
    }
    return contracts;
  }
}
