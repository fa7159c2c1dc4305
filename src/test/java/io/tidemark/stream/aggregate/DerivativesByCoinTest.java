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
import io.tidemark.event.ContractFunding;
import io.tidemark.event.ContractFundingChange;
import io.tidemark.event.ContractOpenInterest;
import io.tidemark.event.ContractOpenInterestChange;
import io.tidemark.event.ConvertedText;
import io.tidemark.event.Derivatives;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DerivativesByCoinTest {

  private final AggregateRun<Derivatives> run = new AggregateRun<>(new DerivativesByCoin());

  @AfterEach
  void close() {
    run.close();
  }

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

  private void contract(String exchange, Double interest, Double funding, Double basis, String volume) {
    var change = change(exchange);
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
