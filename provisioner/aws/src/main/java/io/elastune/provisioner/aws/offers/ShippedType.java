package io.elastune.provisioner.aws.offers;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.aws.model.GpuType;
import java.util.List;
import java.util.Set;

/**
 * A row of the shipped table of instance types.
 *
 * @param vcpus vCPUs, the unit of EC2 quotas
 * @param sold names of the markets in which the type is offered, or the reason why it is not
 */
public record ShippedType(String name, String gpu, int gpus, int vcpus, Set<String> sold) {
  static ShippedType parse(List<String> cells) {
    return new ShippedType(
        cells.get(0),
        cells.get(1),
        Integer.parseInt(cells.get(2)),
        Integer.parseInt(cells.get(3)),
        Set.of(cells.get(4).split(" ", -1)));
  }

  GpuType toGpuType() {
    return new GpuType(name, gpu, gpus, vcpus);
  }

  /** Returns whether the type is offered in any market. */
  boolean isOffered() {
    return isSold(Market.ON_DEMAND) || isSold(Market.SPOT);
  }

  boolean isSold(Market market) {
    return sold.contains(market.word());
  }
}
