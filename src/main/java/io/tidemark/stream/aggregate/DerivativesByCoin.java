package io.tidemark.stream.aggregate;

import io.tidemark.event.ContractChange;
import io.tidemark.event.ContractFigure;
import io.tidemark.event.ContractFigures;
import io.tidemark.event.Derivatives;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Derivatives of one coin across exchanges: open interest, funding and basis. */
public final class DerivativesByCoin implements Aggregation<ContractFigures, Derivatives> {

  @Override
  public String name() {
    return "derivatives";
  }

  @Override
  public Class<ContractFigures> memberType() {
    return ContractFigures.class;
  }

  @Override
  public Class<Derivatives> aggregateType() {
    return Derivatives.class;
  }

  @Override
  public boolean reads(SpecificRecord change) {
    return change instanceof ContractChange;
  }

  @Override
  public @Nullable ContractFigures fold(@Nullable ContractFigures known, SpecificRecord record) {
    var change = (ContractChange) record;
    if (change.getRemoved() != null) {
      return null;
    }
    var contract = known == null ? ContractFigures.newBuilder().build() : known;
    contract.setExchange(change.getExchange());
    contract.setSymbol(change.getSymbol());
    contract.setCoin(
        change.getAbout().getCoinId() == null ? change.getAbout().getBase() : change.getAbout().getCoinId());
    if (change.getVisibility() != null) {
      contract.setVisible(change.getVisibility().getVisible());
    }
    if (change.getOpenInterest() != null && change.getOpenInterest().getAfter() != null) {
      contract.setOpenInterestUsd(FiniteNumbers.of(change.getOpenInterest().getAfter().getOpenInterestUsd()));
    }
    if (change.getFunding() != null && change.getFunding().getAfter() != null) {
      contract.setFundingRate(FiniteNumbers.of(change.getFunding().getAfter().getFundingRate()));
    }
    if (change.getBasis() != null && change.getBasis().getAfter() != null) {
      contract.setBasisPercent(FiniteNumbers.of(change.getBasis().getAfter().getIndexBasisPercentage()));
    }
    var converted = change.getConverted() == null ? null : change.getConverted().getAfter();
    if (converted != null && converted.getConvertedVolume() != null) {
      contract.setVolumeUsd(FiniteNumbers.of(converted.getConvertedVolume().getUsd()));
    }
    return contract;
  }

  @Override
  public List<String> groups(ContractFigures contract) {
    return contract.getCoin() == null ? List.of() : List.of(contract.getCoin());
  }

  @Override
  public @Nullable Derivatives aggregate(String coin, Stream<ContractFigures> members, Instant at) {
    var contracts = members.toList();
    if (contracts.isEmpty()) {
      return null;
    }
    var seen = contracts.stream().filter(ContractFigures::getVisible).toList();
    var derivatives = Derivatives.newBuilder().build();
    derivatives.setCoin(coin);
    derivatives.setContracts(contracts.size());
    derivatives.setVisible(seen.size());
    derivatives.setExchanges((int) seen.stream().map(ContractFigures::getExchange).distinct().count());
    interest(derivatives, seen);
    funding(derivatives, VolumeWeightedFigures.of(seen, ContractFigures::getFundingRate));
    basis(derivatives, VolumeWeightedFigures.of(seen, ContractFigures::getBasisPercent));
    return derivatives;
  }

  private static void interest(Derivatives derivatives, List<ContractFigures> seen) {
    var known = seen.stream().map(ContractFigures::getOpenInterestUsd).filter(Objects::nonNull).toList();
    derivatives.setWithOpenInterest(known.size());
    derivatives.setOpenInterestUsd(known.stream().mapToDouble(each -> each).sum());
    derivatives.setVolumeUsd(seen.stream().mapToDouble(each -> FiniteNumbers.orZero(each.getVolumeUsd())).sum());
  }

  private static void funding(Derivatives derivatives, VolumeWeightedFigures funding) {
    derivatives.setWithFunding(funding.figures().size());
    derivatives.setFundingRate(funding.mean());
    derivatives.setLowestFunding(figure(funding.lowest()));
    derivatives.setHighestFunding(figure(funding.highest()));
  }

  private static void basis(Derivatives derivatives, VolumeWeightedFigures basis) {
    derivatives.setWithBasis(basis.figures().size());
    derivatives.setBasisPercent(basis.mean());
    derivatives.setLowestBasis(figure(basis.lowest()));
    derivatives.setHighestBasis(figure(basis.highest()));
  }

  private static @Nullable ContractFigure figure(VolumeWeightedFigures.@Nullable WeightedFigure figure) {
    return figure == null
        ? null
        : new ContractFigure(figure.contract().getExchange(), figure.contract().getSymbol(), figure.value());
  }
}
