package io.elastune.cli.inspect;

import io.elastune.core.offer.Offer;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.CloudProviders;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Counts the instances of a run without a controller, as the cloud providers list them. */
final class InstanceCounter {
  private static final int PATIENCE_S = 5;

  private final CloudContext context;

  InstanceCounter(CloudContext context) {
    this.context = context;
  }

  /** Returns how many instances the providers list; empty if one of them does not answer. */
  OptionalInt count(RunRecord run) {
    int found = 0;
    for (String name : providers(run)) {
      OptionalInt here =
          CloudProviders.named(name).map(p -> count(p, run)).orElse(OptionalInt.empty());
      if (here.isEmpty()) {
        return here;
      }
      found += here.getAsInt();
    }
    return OptionalInt.of(found);
  }

  private static List<String> providers(RunRecord run) {
    return run.leases().stream()
        .map(LeaseRow::offer)
        .map(offer -> offer.split("/", 2)[0])
        .filter(name -> !name.equals(Offer.SIMULATED)) // the simulation ended with its controller
        .distinct()
        .toList();
  }

  private OptionalInt count(CloudProvider provider, RunRecord run) {
    return provider.hasLiveOffersOnly()
        ? countInAccount(provider, run)
        : countInCloud(provider, run.run());
  }

  /** Counts what an account lists at the places of the run, which has no cloud without the run. */
  private OptionalInt countInAccount(CloudProvider provider, RunRecord run) {
    Optional<CloudAccount> account = provider.account(context);
    if (account.isEmpty()) {
      return OptionalInt.empty();
    }
    try (CloudAccount open = account.get()) {
      long count =
          open.instances(places(run, provider)).stream()
              .filter(instance -> instance.run().equals(run.run()))
              .count();
      return OptionalInt.of((int) count);
    } catch (CloudException e) {
      return OptionalInt.empty();
    }
  }

  private static List<String> places(RunRecord run, CloudProvider provider) {
    return run.leases().stream()
        .map(lease -> lease.offer().split("/", -1))
        .filter(parts -> parts[0].equals(provider.name()))
        .map(parts -> parts[0] + "/" + parts[1])
        .distinct()
        .toList();
  }

  private OptionalInt countInCloud(CloudProvider provider, String run) {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    try (Cloud cloud = provider.open(context, event -> listed(event, run, answer))) {
      cloud.list(run);
      return OptionalInt.of(answer.get(PATIENCE_S, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    } catch (CloudException | ExecutionException | TimeoutException e) {
      return OptionalInt.empty();
    }
  }

  private static void listed(CloudEvent event, String run, CompletableFuture<Integer> answer) {
    if (event instanceof CloudEvent.Listed listed && listed.run().equals(run)) {
      answer.complete(listed.instances().size());
    }
  }
}
