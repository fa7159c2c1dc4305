package io.tidemark.stream.aggregate;

import io.tidemark.event.ContractFigures;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A figure of contracts, weighted by their volume in USD; contracts that lack one of the two are left out. */
record VolumeWeightedFigures(List<WeightedFigure> figures) {

  record WeightedFigure(ContractFigures contract, double value, double weight) {}

  static VolumeWeightedFigures of(List<ContractFigures> contracts, Function<ContractFigures, @Nullable Double> value) {
    return new VolumeWeightedFigures(contracts.stream()
        .filter(contract -> value.apply(contract) != null && contract.getVolumeUsd() != null)
        .map(contract -> new WeightedFigure(contract, FiniteNumbers.orZero(value.apply(contract)), weight(contract)))
        .toList());
  }

  /** Null where nothing has a weight. */
  @Nullable
  Double mean() {
    var weight = figures.stream().mapToDouble(WeightedFigure::weight).sum();
    return weight > 0 ? figures.stream().mapToDouble(each -> each.value() * each.weight()).sum() / weight : null;
  }

  @Nullable
  WeightedFigure lowest() {
    return figures.stream().min(Comparator.comparingDouble(WeightedFigure::value)).orElse(null);
  }

  @Nullable
  WeightedFigure highest() {
    return figures.stream().max(Comparator.comparingDouble(WeightedFigure::value)).orElse(null);
  }

  private static double weight(ContractFigures contract) {
    return Math.max(0, FiniteNumbers.orZero(contract.getVolumeUsd()));
  }
}
