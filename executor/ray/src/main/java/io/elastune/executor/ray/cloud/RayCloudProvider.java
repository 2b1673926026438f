package io.elastune.executor.ray.cloud;

import io.elastune.core.config.FileProblem;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.executor.ray.RayRun;
import io.elastune.executor.ray.settings.UserClusters;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.RunContext;
import io.elastune.provisioner.SettingsProblems;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Provides the nodes of the user's own Ray clusters as instances. */
public final class RayCloudProvider implements CloudProvider {
  @Override
  public String name() {
    return RayRun.PROVIDER;
  }

  @Override
  public Optional<OfferCatalog> builtInOffers(List<String> places) {
    return Optional.empty();
  }

  @Override
  public boolean hasLiveOffersOnly() {
    return true;
  }

  @Override
  public Cloud open(CloudContext context, Consumer<CloudEvent> events) {
    throw new CloudException(
        new CloudFailure.Invalid("The nodes of a Ray cluster are leased to runs only"));
  }

  @Override
  public Cloud open(RunContext context, Consumer<CloudEvent> events) {
    return new RayCloud(context, RayRun.bridge(context), events);
  }

  @Override
  public List<FileProblem> settingsProblems(CloudContext context) {
    return SettingsProblems.of(() -> UserClusters.read(context.settings()));
  }

  @Override
  public Optional<CloudAccount> account(CloudContext context) {
    return Optional.of(new RayAccount(context));
  }
}
