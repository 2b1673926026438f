package io.elastune.cli.inspect;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.EngineProviders;
import io.elastune.executor.engine.NodeRuntimes;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudProviders;
import io.elastune.provisioner.Installation;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The providers of real runs. A run uses instances of one provider. */
public final class RunProviders {
  private RunProviders() {}

  /** A reason why no run can use some offers, with its remedy. */
  public record Problem(String reason, String remedy) {}

  /** Returns why no run can use instances of these providers; empty if one can. */
  public static Optional<Problem> problem(Set<String> providers) {
    if (providers.size() > 1) {
      return Optional.of(
          new Problem(
              "a run uses instances of one provider, and these offers are of "
                  + String.join(" and ", new TreeSet<>(providers)),
              "name locations of one of them in resources.infra or --infra"));
    }
    return providers.stream()
        .filter(
            provider ->
                CloudProviders.named(provider).isEmpty() || EngineProviders.of(provider).isEmpty())
        .findFirst()
        .map(
            provider ->
                Installation.missingExtra(provider)
                    .map(extra -> new Problem(extra.reason(), extra.remedy()))
                    .orElseGet(
                        () ->
                            new Problem(
                                "no run can use instances of " + provider,
                                "use plan and simulate, or set infra: [local]")));
  }

  /** Returns why no run can use all these offers; empty if one can. Makes no remote call. */
  public static Optional<Problem> problem(CloudContext context, Collection<Offer> offers) {
    Set<String> providers =
        offers.stream().map(Offer::provider).collect(Collectors.toCollection(TreeSet::new));
    return problem(providers).or(() -> ofOneProvider(context, offers));
  }

  private static Optional<Problem> ofOneProvider(CloudContext context, Collection<Offer> offers) {
    return offers.stream()
        .findFirst()
        .flatMap(offer -> EngineProviders.of(offer.provider()))
        .flatMap(engine -> engine.problem(context, offers))
        .map(result -> new Problem(result.detail(), result.remedy()));
  }

  /**
   * Returns the runtimes that engines bring to rented instances.
   *
   * @throws IllegalStateException if this installation has no such engine
   */
  public static NodeRuntimes runtimes(CloudContext context) {
    return EngineProviders.all()
        .flatMap(engine -> engine.runtimes(context).stream())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no engine brings a runtime"));
  }
}
