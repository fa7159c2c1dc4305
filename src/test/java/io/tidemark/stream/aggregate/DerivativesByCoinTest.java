package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static io.tidemark.stream.aggregate.Origins.second;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.event.ContractAbout;
import io.tidemark.event.ContractBasis;
import io.tidemark.event.ContractBasisChange;
import io.tidemark.event.ContractChange;
import io.tidemark.event.ContractConverted;
import io.tidemark.event.ContractConvertedChange;
import io.tidemark.event.ContractDescription;
import io.tidemark.event.ContractDescriptionChange;
import io.tidemark.event.ContractFunding;
import io.tidemark.event.ContractFundingChange;
import io.tidemark.event.ContractOpenInterest;
import io.tidemark.event.ContractOpenInterestChange;
import io.tidemark.event.ConvertedText;
import io.tidemark.event.Derivatives;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DerivativesByCoinTest {

  static final ContractDescription PERPETUAL = ContractDescription.newBuilder().setContractType("perpetual").build();

  private final Map<String, ContractDescription> types = new HashMap<>();
  private final AggregateRun<Derivatives> run = new AggregateRun<>(new DerivativesByCoin());

  @Test
  void fundingAndBasis_areWeightedByVolume() {
    contract("binance", 1_000.0, 0.01, 1.0, "300");
    contract("bybit", 500.0, 0.05, -1.0, "100");
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(derivatives -> {
      assertThat(derivatives.getCoin()).isEqualTo("bitcoin");
      assertThat(derivatives.getExchanges()).isEqualTo(2);
      assertThat(derivatives.getOpenInterestUsd()).isEqualTo(1_500.0);
      assertThat(derivatives.getVolumeUsd()).isEqualTo(400.0);
      assertThat(derivatives.getFundingRate()).isCloseTo(0.02, within(1e-12));
      assertThat(derivatives.getBasisPercent()).isCloseTo(0.5, within(1e-12));
      assertThat(derivatives.getHighestFunding().getExchange()).isEqualTo("bybit");
      assertThat(derivatives.getLowestBasis().getValue()).isEqualTo(-1.0);
    });
  }

  @Test
  void figuresThatAreNone_weighNothing() {
    contract("binance", 1_000.0, 0.01, 1.0, "300");
    contract("nan", Double.NaN, Double.NaN, null, "500");
    contract("bare", null, 0.9, 0.9, "NaN");
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(derivatives -> {
      assertThat(derivatives.getContracts()).isEqualTo(3);
      assertThat(derivatives.getWithOpenInterest()).isEqualTo(1);
      assertThat(derivatives.getWithFunding()).isEqualTo(1);
      assertThat(derivatives.getFundingRate()).isEqualTo(0.01);
      assertThat(derivatives.getBasisPercent()).isEqualTo(1.0);
    });
  }

  @Test
  void contractsNotVisible_areKnownAndNotSummed() {
    contract("binance", 1_000.0, 0.01, 1.0, "300");
    contract("bybit", 500.0, 0.05, 1.0, "100");
    var hidden = change("bybit");
    hidden.setVisibility(new Visibility(false, second(10)));
    run.change("bybit/BTC-PERP", hidden, minute(20));
    run.restart();
    run.until(minute(21));
    assertThat(run.published()).last().satisfies(derivatives -> {
      assertThat(derivatives.getContracts()).isEqualTo(2);
      assertThat(derivatives.getVisible()).isEqualTo(1);
      assertThat(derivatives.getOpenInterestUsd()).isEqualTo(1_000.0);
    });

    var back = change("bybit");
    back.setVisibility(new Visibility(true, second(10)));
    run.change("bybit/BTC-PERP", back, minute(22));
    run.until(minute(23));

    assertThat(run.published()).last()
        .satisfies(derivatives -> assertThat(derivatives.getOpenInterestUsd()).isEqualTo(1_500.0));
  }

  @Test
  void expiredContract_isDropped() {
    contract("binance", 1_000.0, 0.01, 1.0, "300");
    contract("bybit", 500.0, 0.05, 1.0, "100");
    var removed = change("bybit");
    removed.setRemoved(new Removed("expired"));
    run.change("bybit/BTC-PERP", removed, minute(1));
    run.until(minute(2));

    assertThat(run.published()).last().satisfies(derivatives -> assertThat(derivatives.getContracts()).isEqualTo(1));
  }

  @Test
  void datedContracts_haveABasisOfTheirOwnAndNoFunding() {
    contract("binance", 1_000.0, 0.0105, 0.1, "300");
    described("bybit", "futures", null);
    contract("bybit", 500.0, 0.0, 4.0, "200");
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(derivatives -> {
      assertThat(derivatives.getFundingRate()).isEqualTo(0.0105);
      assertThat(derivatives.getLowestFunding().getExchange()).isEqualTo("binance");
      assertThat(derivatives.getBasisPercent()).isCloseTo(0.1, within(1e-12));
      assertThat(derivatives.getHighestBasis().getExchange()).isEqualTo("binance");
      assertThat(derivatives.getDatedBasisPercent()).isEqualTo(4.0);
      assertThat(derivatives.getOpenInterestUsd()).isEqualTo(1_500.0);
      assertThat(derivatives.getVolumeUsd()).isEqualTo(500.0);
      assertThat(List.of(derivatives.getPerpetuals(), derivatives.getDated(), derivatives.getExpired()))
          .containsExactly(1, 1, 0);
      assertThat(List.of(derivatives.getWithFunding(), derivatives.getWithBasis(), derivatives.getWithDatedBasis()))
          .containsExactly(1, 1, 1);
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1767268800", "1767268800000", "2026-01-01T12:00:00Z", "2026-01-01T14:00:00+02:00",
    "2026-01-01", "{\"on\":\"friday\"}"})
  void contractsThatHaveExpired_areCountedAsSuchAlone(String expiredAt) {
    contract("binance", 1_000.0, 0.0105, 0.1, "300");
    described("bybit", "futures", expiredAt);
    contract("bybit", 500.0, 0.5, 4.0, "200");
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(derivatives -> {
      assertThat(derivatives.getExpired()).isEqualTo(1);
      assertThat(derivatives.getContracts()).isEqualTo(1);
      assertThat(derivatives.getVisible()).isEqualTo(1);
      assertThat(derivatives.getExchanges()).isEqualTo(1);
      assertThat(derivatives.getDated()).isZero();
      assertThat(derivatives.getOpenInterestUsd()).isEqualTo(1_000.0);
      assertThat(derivatives.getVolumeUsd()).isEqualTo(300.0);
      assertThat(derivatives.getFundingRate()).isEqualTo(0.0105);
      assertThat(derivatives.getDatedBasisPercent()).isNull();
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "false", "1798761600", "2027-01-01"})
  void contractsThatHaveNotExpired_areDated(String expiredAt) {
    described("bybit", "futures", expiredAt);
    contract("bybit", 500.0, 0.5, 4.0, "200");
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(derivatives -> {
      assertThat(derivatives.getExpired()).isZero();
      assertThat(derivatives.getDated()).isEqualTo(1);
      assertThat(derivatives.getFundingRate()).isNull();
    });
  }

  @Test
  void contractOfNoKnownType_isSummedAndNotAveraged() {
    described("bybit", null, null);
    contract("bybit", 500.0, 0.5, 4.0, "200");
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(derivatives -> {
      assertThat(derivatives.getVisible()).isEqualTo(1);
      assertThat(derivatives.getPerpetuals() + derivatives.getDated()).isZero();
      assertThat(derivatives.getOpenInterestUsd()).isEqualTo(500.0);
      assertThat(derivatives.getFundingRate()).isNull();
      assertThat(derivatives.getBasisPercent()).isNull();
    });
  }

  private void described(String exchange, String type, String expiredAt) {
    types.put(exchange, ContractDescription.newBuilder().setContractType(type).setExpiredAt(expiredAt).build());
  }

  private void contract(String exchange, Double interest, Double funding, Double basis, String volume) {
    var change = change(exchange);
    change.setDescription(
        ContractDescriptionChange.newBuilder().setAfter(types.getOrDefault(exchange, PERPETUAL)).build());
    change.setOpenInterest(
        ContractOpenInterestChange.newBuilder()
            .setAfter(ContractOpenInterest.newBuilder().setOpenInterestUsd(interest).build()).build());
    change.setFunding(ContractFundingChange.newBuilder()
        .setAfter(ContractFunding.newBuilder().setFundingRate(funding).build()).build());
    change.setBasis(ContractBasisChange.newBuilder()
        .setAfter(ContractBasis.newBuilder().setIndexBasisPercentage(basis).build()).build());
    var converted = ContractConverted.newBuilder()
        .setConvertedVolume(ConvertedText.newBuilder().setUsd(volume).build())
        .build();
    change.setConverted(ContractConvertedChange.newBuilder().setAfter(converted).build());
    run.change(exchange + "/BTC-PERP", change, second(10));
  }

  private static ContractChange change(String exchange) {
    return ContractChange.newBuilder()
        .setExchange(exchange)
        .setSymbol("BTC-PERP")
        .setOrigin(Origins.at(second(10)))
        .setAbout(ContractAbout.newBuilder().setBase("BTC").setCoinId("bitcoin").build())
        .build();
  }
}
