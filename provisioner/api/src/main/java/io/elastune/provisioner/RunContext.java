package io.elastune.provisioner;

import io.elastune.core.Preconditions;
import io.elastune.core.offer.Offer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The run for which a controller opens a cloud and an engine. Both get equal contexts.
 *
 * @param cloud Elastune's home, the settings of the user's accounts, and the controller's clock
 * @param run the run's ID
 * @param folder the run's folder
 * @param epoch the number of controllers of the run so far, with this one. A component that has
 *     received a command of a later controller refuses those of earlier ones
 * @param deadMan how long instances and workers continue without their controller
 * @param offers the offers that the run may rent
 * @param copyGbPerS the speed at which the GPUs of earlier instances copied their memory, in GB per
 *     second: the median by the name of the offer, as far as it is known
 */
public record RunContext(
    CloudContext cloud,
    String run,
    Path folder,
    int epoch,
    Duration deadMan,
    List<Offer> offers,
    Map<String, Double> copyGbPerS) {
  public RunContext {
    Preconditions.text("run", run);
    Preconditions.atLeast("epoch", 1, epoch);
    offers = List.copyOf(offers);
    copyGbPerS = Map.copyOf(copyGbPerS);
  }
}
