package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.process.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Renews the held leases of a Ray cluster. Used on the event loop only. */
final class RayLeaseRenewal {
  private final RayCloudContext context;
  private final Collection<RayLease> leases;

  /**
   * Creates a renewal.
   *
   * @param leases the leases of this controller at any time
   */
  RayLeaseRenewal(RayCloudContext context, Collection<RayLease> leases) {
    this.context = context;
    this.leases = leases;
  }

  /** Renews all held leases, those with the same time in one request. */
  CompletableFuture<Boolean> renewAll() {
    Map<Duration, List<RayLease>> byTime = new HashMap<>();
    for (RayLease lease : leases) {
      if (lease.isHeld()) {
        byTime
            .computeIfAbsent(context.timeToLive(lease.lease()), none -> new ArrayList<>())
            .add(lease);
      }
    }
    List<CompletableFuture<Void>> all = new ArrayList<>();
    context
        .connection()
        .loop()
        .own(
            EventLoop.Owner.repeated("A renewal"),
            () -> byTime.forEach((time, some) -> all.add(renew(time, some))));
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
        .handle((done, failure) -> true);
  }

  private CompletableFuture<Void> renew(Duration time, List<RayLease> some) {
    Request request =
        Request.of("renew")
            .with("ttl_s", time.toMillis() / 1000.0)
            .with("leases", some.stream().map(RayLease::lease).toList());
    CompletableFuture<Void> done = new CompletableFuture<>();
    context
        .connection()
        .loop()
        .whenComplete(
            context.connection().link().request(request),
            (answer, failure) -> {
              done.complete(null); // the nodes have answered, or will not
              some.forEach(lease -> lease.own(() -> renewed(lease, answer)));
            });
    return done;
  }

  private static void renewed(RayLease lease, @Nullable Frame answer) {
    if (answer == null) {
      lease.notRenewed(LinkException.UNREACHABLE);
      return;
    }
    JsonNode failed = answer.ok().path("failed").path(lease.lease());
    if (failed.isMissingNode()) {
      lease.renewed();
    } else {
      lease.notRenewed(failed.asString(""));
    }
  }
}
