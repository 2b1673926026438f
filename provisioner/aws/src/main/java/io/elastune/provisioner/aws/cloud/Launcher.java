package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.aws.account.LaunchOrder;
import io.elastune.provisioner.aws.account.Place;
import io.elastune.provisioner.aws.node.UserData;
import io.elastune.provisioner.remote.RateLimit;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Launches queued instances within EC2's rate limits. Each instance needs its own call, because the
 * call sets its tags. Without capacity in one zone, the next zone is tried.
 */
final class Launcher {
  /** The highest accepted spot price, relative to the price in the plan. */
  private static final double SPOT_MARGIN = 1.05;

  private final RegionContext context;
  private final Renewer renewer;
  private final RateLimit limit;

  /** Receives launched instances. */
  private final BiConsumer<Rental, Ec2Instance> launched;

  /** Whether an Elastune instance is shutting down, and may still use up a quota. */
  private final BooleanSupplier anyEnding;

  Launcher(
      RegionContext context,
      Renewer renewer,
      BiConsumer<Rental, Ec2Instance> launched,
      BooleanSupplier anyEnding) {
    this.context = context;
    this.anyEnding = anyEnding;
    this.renewer = renewer;
    this.launched = launched;
    limit = new RateLimit(context.pace().burst(), context.pace().launchesPerSecond());
  }

  /** Launches as many of these as the rate limit allows now. */
  void launch(List<Rental> queued) {
    for (Rental rental : queued) {
      Optional<LeaseRequest> request = rental.request();
      if (request.isPresent() && !launch(rental, request.get())) {
        return;
      }
    }
  }

  /** Launches one instance; returns whether another launch is allowed now. */
  private boolean launch(Rental rental, LeaseRequest request) {
    Instant now = context.now();
    if (rental.order == null) {
      List<Optional<String>> zones =
          context.zones().zonesToTry(request, zones(request.offer()), now);
      if (zones.isEmpty()) {
        refuse(rental, RefusalReason.CAPACITY, noZone(rental, request.offer()));
        return true;
      }
      if (!limit.tryAcquire(now)) {
        return false;
      }
      Instant expires = renewer.endOfLaunched(request, now);
      rental.order = order(request, zones.get(0), expires);
      rental.expires = expires;
    } else if (!limit.tryAcquire(now)) {
      return false;
    }
    LaunchOrder order = rental.order;
    rental.phase = Rental.Phase.LAUNCHING;
    rental.besideEnding = anyEnding.getAsBoolean();
    context
        .asker()
        .call(
            () -> {
              order.group().ifPresent(group -> context.ec2().makeGroup(group, Teams.tags(order)));
              return context.ec2().launch(order);
            },
            instance -> launched.accept(rental, instance),
            failure -> failed(rental, request.offer(), order, failure));
    return true;
  }

  private List<Optional<String>> zones(Offer offer) {
    Optional<String> zone = Place.parse(offer.infra()).flatMap(Place::zone);
    return zone.isPresent() ? List.of(zone) : context.settings().zones();
  }

  private String noZone(Rental rental, Offer offer) {
    String where =
        zones(offer).size() == 1 ? "in " + offer.infra() : "in every zone of " + offer.infra();
    return offer.instanceType()
        + " is unavailable "
        + where
        + " at present"
        + (rental.refusal.isEmpty() ? ", as EC2 reported a moment ago" : ": " + rental.refusal);
  }

  private LaunchOrder order(LeaseRequest request, Optional<String> zone, Instant end) {
    long expires = end.getEpochSecond();
    Map<String, String> tags = new HashMap<>(request.tags());
    tags.put("Name", request.lease());
    tags.put(Tags.EXPIRES, Long.toString(expires));
    Offer offer = request.offer();
    return new LaunchOrder(
        Tokens.of(request.lease(), offer, zone),
        offer.instanceType(),
        offer.market(),
        zone,
        context.settings(),
        tags,
        UserData.script(request.setup(), expires, context.settings().maxLifetime()),
        offer.market() == Market.SPOT && request.listUsdPerHour() > 0
            ? OptionalDouble.of(request.listUsdPerHour() * SPOT_MARGIN)
            : OptionalDouble.empty(),
        Teams.group(request, zone));
  }

  private void failed(Rental rental, Offer offer, LaunchOrder order, CloudFailure failure) {
    if (rental.in(Rental.Phase.LAUNCHING)) { // otherwise a list has shown its instance meanwhile
      failure.match(new Failed(rental, offer, order));
    }
  }

  /** Reports a refusal, or the termination of a lease that was released meanwhile. */
  void refuse(Rental rental, RefusalReason refusalReason, String message) {
    Instant now = context.now();
    if (!rental.wanted) {
      context.gone(rental, now);
      return;
    }
    rental.phase = Rental.Phase.GONE;
    rental.goneAt = now;
    context.tell(new CloudEvent.Refused(rental.lease(), refusalReason, message, now));
  }

  /** Handles each type of launch failure. */
  private final class Failed implements CloudFailure.Visitor<Rental> {
    private final Rental rental;
    private final Offer offer;
    private final LaunchOrder order;

    Failed(Rental rental, Offer offer, LaunchOrder order) {
      this.rental = rental;
      this.offer = offer;
      this.order = order;
    }

    @Override
    public Rental capacity(CloudFailure.Capacity failure) {
      context.zones().recordRefusal(offer, order.zone(), context.now());
      rental.refusal = failure.message();
      return queuedAgain(true);
    }

    @Override
    public Rental quota(CloudFailure.Quota failure) {
      if (!rental.besideEnding && !anyEnding.getAsBoolean()) {
        return refusedBecause(RefusalReason.QUOTA, failure);
      }
      rental.notBefore = context.now().plus(context.pace().again());
      return queuedAgain(false);
    }

    @Override
    public Rental permission(CloudFailure.Permission failure) {
      return refusedBecause(RefusalReason.PERMISSION, failure);
    }

    @Override
    public Rental invalid(CloudFailure.Invalid failure) {
      return refusedBecause(RefusalReason.INVALID, failure);
    }

    @Override
    public Rental throttled(CloudFailure.Throttled failure) {
      limit.pause(context.now(), context.pace().backOff());
      return queuedAgain(false);
    }

    @Override
    public Rental unknownOutcome(CloudFailure.UnknownOutcome failure) {
      rental.seek(Rental.Phase.UNKNOWN, context.now());
      return rental;
    }

    private Rental refusedBecause(RefusalReason refusalReason, CloudFailure failure) {
      refuse(rental, refusalReason, failure.message());
      return rental;
    }

    /** Queues the lease again; {@code elsewhere} allows a new request in another zone. */
    private Rental queuedAgain(boolean elsewhere) {
      rental.phase = Rental.Phase.QUEUED;
      if (elsewhere) {
        rental.order = null;
      }
      return rental;
    }
  }
}
