package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.PublishSettings;
import io.tidemark.market.Operation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An undocumented attribute anywhere in an answer is published as it was sent, and so are its changes. */
class UndocumentedAttributesTest {
  private static final String NAME = "something_new";
  private static final String FIRST = "{\"of\":[1,2.50],\"so\":0.00000001}";
  private static final JsonBody POOL = JsonBody.complete(Operation.POOL);

  /** Objects whose members are entries of a map, so that another member is not an attribute. */
  private static final Set<String> MAPS = Set.of(
      "/data/total_market_cap", "/data/total_volume", "/data/market_cap_percentage", "/localization",
      "/market_data/current_price", "/market_data/market_cap", "/market_data/total_volume");

  @ParameterizedTest
  @EnumSource
  void undocumentedMember_ofAnyObject_isKeptAndItsChangesObserved(Operation operation) {
    JsonBody body = JsonBody.complete(operation);
    var lost = new TreeSet<String>();
    for (String object : body.objects()) {
      if (!MAPS.contains(object) && !isKept(operation, body, object)) {
        lost.add(object);
      }
    }

    assertThat(lost).as("objects whose undocumented members nobody sees").isEqualTo(ofNoResource(operation, body));
  }

  /** Returns the objects that belong to no resource: the envelope of on-chain answers, exchanges and references. */
  private static Set<String> ofNoResource(Operation operation, JsonBody body) {
    var none = new TreeSet<String>();
    if (EnumSet.range(Operation.TOKEN, Operation.POOL).contains(operation)) {
      none.add("");
    }
    if (operation == Operation.TOKEN) {
      none.addAll(List.of("/data/relationships/top_pools/data/0", "/data/relationships/top_pools/data/1"));
    }
    for (int i = 0; body.has("/included/" + i); i++) {
      if (body.node("/included/" + i + "/type").asText().equals("dex")) {
        none.addAll(List.of("/included/" + i, "/included/" + i + "/attributes"));
      }
    }
    return none;
  }

  private static boolean isKept(Operation operation, JsonBody body, String object) {
    var source = PolledSource.everything();
    String place = object + "/" + NAME;
    source.poll(OperationQueries.to(operation), body);

    List<ReceivedChange> appeared = source.poll(OperationQueries.to(operation), body.with(place, FIRST));
    if (appeared.isEmpty()) {
      return false;
    }
    assertExtra(place, appeared, FIRST);
    assertExtra(place, source.poll(OperationQueries.to(operation), body.with(place, "2.50")), "2.50");
    assertThat(source.poll(OperationQueries.to(operation), body)).as(place + ": absent, and so known still").isEmpty();
    assertExtra(place, source.poll(OperationQueries.to(operation), body.with(place, "null")), "null");
    source.memory.assertFoldIsState();
    return true;
  }

  /** Asserts one change of the resource that has the attribute; an attribute beside the tickers belongs to each. */
  private static void assertExtra(String place, List<ReceivedChange> changes, String json) {
    assertThat(changes).as(place).hasSize(changes.getFirst().resource().equals("ticker") && isAtTop(place) ? 2 : 1);
    for (ReceivedChange changed : changes) {
      assertThat(changed.facets()).as(place).containsExactly("extra");
      assertThat((String) changed.after("extra").get("json")).as(place).contains("\"" + NAME + "\":" + json);
    }
  }

  private static boolean isAtTop(String place) {
    return place.lastIndexOf('/') == 0;
  }

  @Test
  void undocumentedMember_onlyTravelsAlong_byDefault() {
    var source = new PolledSource(PublishSettings.MATERIAL);
    source.poll(OperationQueries.to(Operation.POOL), POOL);

    List<ReceivedChange> alone =
        source.poll(OperationQueries.to(Operation.POOL), POOL.with("/data/attributes/" + NAME, "1"));

    assertThat(alone).isEmpty();
    source.memory.assertFoldIsState();
  }

  @Test
  void membersOfManyPolls_mergeByKey_digitForDigit() {
    var source = PolledSource.everything();
    source.poll(OperationQueries.to(Operation.POOL), POOL.with("/data/attributes/a", "{\"x\":0.00000001,\"y\":1.10}"));

    List<ReceivedChange> changes = source.poll(
        OperationQueries.to(Operation.POOL),
        POOL.with("/data/attributes/a", "{\"y\":1e400000}").with("/data/attributes/b", "\"\\u0000</script>\""));

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().after("extra"))
        .containsEntry("json", "{\"a\":{\"x\":0.00000001,\"y\":1e400000},\"b\":\"\\u0000</script>\"}");
  }

  @Test
  void attributeNamedLikeAPlaceInExtra_isNotMistakenForIt() {
    var source = PolledSource.everything();

    source.poll(
        OperationQueries.to(Operation.POOL),
        POOL.with("/data/attributes/resource", "5").with("/data/links", "6")
            .with("/data/attributes/relationships", "7").with("/data/relationships/more", "8"));

    assertThat(source.memory.known("pool", POOL.node("/data/id").asText(), "extra")).containsEntry("json",
        "{\"attributes\":{\"relationships\":7,\"resource\":5},\"relationships\":{\"more\":8},\"resource\":{\"links\":6}}");
  }

  @Test
  void undocumentedResourceType_isNoObstacle() {
    var source = PolledSource.everything();

    List<ReceivedChange> changes = source.poll(
        OperationQueries.to(Operation.POOL),
        POOL.with("/included/0", "{\"type\":\"network\",\"id\":\"eth\"}").with("/included/1", "{\"id\":\"odd\"}"));

    assertThat(source.changeSet.deadLetters()).isEmpty();
    assertThat(changes).extracting(ReceivedChange::resource).containsExactly("pool");
  }
}
