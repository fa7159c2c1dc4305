package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Answer of operation 11: an exchange, and its contracts as tickers. */
final class DerivativesCodec implements AnswerCodec<Query.DerivativesExchangeById, DerivativesAnswer> {
  private static final String TICKERS = "tickers";

  private final ResourceCodec<DerivativesExchange> exchange = ResourceCodec.of(DerivativesExchange.class);
  private final ResourceCodec<Contract> contract = ResourceCodec.of(Contract.class);

  @Override
  public DerivativesAnswer read(Query.DerivativesExchangeById query, JsonParser in) throws IOException {
    var contracts = new AtomicReference<@Nullable List<Observation<Contract>>>();
    var decoded = exchange.read(in, TICKERS, () -> contracts.set(contracts(query.id(), in))).set("id", query.id());
    return new DerivativesAnswer(decoded.toObservation(), contracts.get());
  }

  @Override
  public JsonValue write(Query.DerivativesExchangeById query, DerivativesAnswer answer, FieldNaming naming) {
    var object = exchange.write(answer.exchange(), naming);
    if (answer.tickers() != null) {
      var tickers = answer.tickers().stream().map(each -> contract.write(each, naming)).toList();
      object.put(TICKERS, JsonValue.list(tickers));
    }
    return object;
  }

  @Override
  public ObjectNode schema(AnswerSchemas schemas) {
    return schemas.component("DerivativesExchange", () -> {
      var object = schemas.schema(exchange);
      AnswerSchemas.addMember(object, TICKERS, AnswerSchemas.list(schemas.resource(contract)));
      return object;
    });
  }

  private @Nullable List<Observation<Contract>> contracts(String exchange, JsonParser in) throws IOException {
    if (in.hasToken(JsonToken.VALUE_NULL)) {
      return null;
    }
    var contracts = new ArrayList<Observation<Contract>>();
    addContracts(exchange, in, contracts);
    return contracts;
  }

  /** The service sends an array, or an object with arrays in it. */
  private void addContracts(String exchange, JsonParser in, List<Observation<Contract>> contracts)
      throws IOException {
    if (in.hasToken(JsonToken.START_OBJECT)) {
      StrictJson.members(in, name -> addContracts(exchange, in, contracts));
    } else {
      StrictJson.elements(in, () -> contracts.add(
          contract.read(in).set("exchange", exchange).require("symbol").toObservation()));
    }
  }
}
