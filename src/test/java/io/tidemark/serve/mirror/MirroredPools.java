package io.tidemark.serve.mirror;

import static io.tidemark.serve.mirror.MirroredMarket.TOPICS;
import static io.tidemark.serve.mirror.MirroredMarket.committed;

import io.tidemark.event.PoolState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** A mirror of pools that are watched one by one: copies of simulated ones, each with an address of its own. */
public final class MirroredPools {

  private static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  private static final int TEMPLATES = 20;

  private final MirrorStore store = new MirrorStore(TOPICS, Endpoints::parseTarget, List.of(), day -> false);

  /** What the mirror reads of one pool. */
  private record Template(String id, List<CommittedRecord> records) {}

  public MirroredPools(int pools) {
    var simulator = new Simulator(
        new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));
    try (var list = new MirroredMarket(simulator::at, NOW)) {
      list.poll("/networks/eth/trending_pools", 1);
      var templates = list.records.stream().filter(each -> each.value() instanceof PoolState).limit(TEMPLATES)
          .map(each -> template(simulator, ((PoolState) each.value()).getKnown().getAddress())).toList();
      for (var number = 0; number < pools; number++) {
        apply(templates.get(number % templates.size()), "0x%040x".formatted(number));
      }
    }
  }

  /** The number of pools and tokens that it knows. */
  public int resources() {
    return store.size();
  }

  private static Template template(Simulator simulator, String address) {
    try (var market = new MirroredMarket(simulator::at, NOW)) {
      market.poll(query(address), 1);
      return new Template("eth_" + address, List.copyOf(market.records));
    }
  }

  private static Query<?> query(String address) {
    return new Query.PoolByAddress("eth", address, Set.of(IncludedResource.values()), false, false);
  }

  /** Applies records that are decoded anew, as a reader of Kafka gets them. */
  private void apply(Template template, String address) {
    var id = "eth_" + address;
    var target = Endpoints.targetName(query(address));
    for (var record : template.records()) {
      store.apply(switch (record.value()) {
        case PoolState state -> {
          state.getKnown().setAddress(address);
          state.getKnown().setId(id);
          yield committed(TOPICS.pool().state(), id, state, record.timestamp());
        }
        case TargetMembers page -> {
          var members = page.getMembers().stream().map(key -> key.equals(template.id()) ? id : key).toList();
          var copy = TargetMembers.newBuilder(page).setTarget(target).setMembers(members).build();
          yield committed(TOPICS.targetMembers(), target + "#" + page.getPage(), copy, record.timestamp());
        }
        case TargetState state -> {
          state.setTarget(target);
          yield committed(TOPICS.targetState(), target, state, record.timestamp());
        }
        default -> record;
      });
    }
  }
}
