package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Refusal;
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
 * Launches what is queued: one call for each instance, for each has tags of its own from that very
 * call on; as many calls as EC2 allows; zone after zone where there is no capacity.
 */
final class Launcher {
  /** On spot, a price that rises by more than this over the plan's is not paid. */
  private static final double SPOT_MARGIN = 1.05;

  private final RegionContext context;
  private final Renewer renewer;
  private final RateLimit limit;

  /** Is given what was launched. */
  private final BiConsumer<Rental, Ec2Instance> launched;

  /** Whether something of ours is about to end, and may use a quota up until then. */
  private final BooleanSupplier ending;

  Launcher(
      RegionContext context,
      Renewer renewer,
      BiConsumer<Rental, Ec2Instance> launched,
      BooleanSupplier ending) {
    this.context = context;
    this.ending = ending;
    this.renewer = renewer;
    this.launched = launched;
    limit = new RateLimit(context.pace().burst(), context.pace().launchesPerSecond());
  }

  /** Launches as many of these as may be launched now. */
  void launch(List<Rental> queued) {
    for (Rental rental : queued) {
      Optional<LeaseRequest> request = rental.request();
      if (request.isPresent() && !launch(rental, request.get())) {
        return;
      }
    }
  }

  /** Whether there may be another launch after this one. */
  private boolean launch(Rental rental, LeaseRequest request) {
    Instant now = context.now();
    if (rental.order == null) {
      List<Optional<String>> zones = context.zones().toAsk(request, zones(request.offer()), now);
      if (zones.isEmpty()) {
        refuse(rental, Refusal.CAPACITY, noZone(rental, request.offer()));
        return true;
      }
      if (!limit.take(now)) {
        return false;
      }
      Instant expires = renewer.endOfLaunched(request, now);
      rental.order = order(request, zones.get(0), expires);
      rental.expires = expires;
    } else if (!limit.take(now)) {
      return false;
    }
    LaunchOrder order = rental.order;
    rental.phase = Rental.Phase.LAUNCHING;
    rental.besideEnding = ending.getAsBoolean();
    context
        .asker()
        .ask(
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
        zones(offer).size() == 1 ? "in " + offer.infra() : "in any zone of " + offer.infra();
    return offer.instanceType()
        + " is not to be had "
        + where
        + " at present"
        + (rental.refusal.isEmpty() ? ", as it said a moment ago" : ": " + rental.refusal);
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
    if (rental.in(Rental.Phase.LAUNCHING)) { // else the list has shown its instance meanwhile
      failure.match(new Failed(rental, offer, order));
    }
  }

  /** Says that nothing is rented; of what was released meanwhile, that it has ended. */
  void refuse(Rental rental, Refusal refusal, String message) {
    Instant now = context.now();
    if (!rental.wanted) {
      context.gone(rental, now);
      return;
    }
    rental.phase = Rental.Phase.GONE;
    rental.goneAt = now;
    context.tell(new CloudEvent.Refused(rental.lease(), refusal, message, now));
  }

  /** What follows from each way in which a launch can fail. */
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
      context.zones().refused(offer, order.zone(), context.now());
      rental.refusal = failure.message();
      return queuedAgain(true);
    }

    @Override
    public Rental quota(CloudFailure.Quota failure) {
      if (!rental.besideEnding && !ending.getAsBoolean()) {
        return refusedBecause(Refusal.QUOTA, failure);
      }
      rental.notBefore = context.now().plus(context.pace().again());
      return queuedAgain(false);
    }

    @Override
    public Rental permission(CloudFailure.Permission failure) {
      return refusedBecause(Refusal.PERMISSION, failure);
    }

    @Override
    public Rental invalid(CloudFailure.Invalid failure) {
      return refusedBecause(Refusal.INVALID, failure);
    }

    @Override
    public Rental throttled(CloudFailure.Throttled failure) {
      limit.close(context.now(), context.pace().backOff());
      return queuedAgain(false);
    }

    @Override
    public Rental unknownOutcome(CloudFailure.UnknownOutcome failure) {
      rental.seek(Rental.Phase.UNKNOWN, context.now());
      return rental;
    }

    private Rental refusedBecause(Refusal refusal, CloudFailure failure) {
      refuse(rental, refusal, failure.message());
      return rental;
    }

    /** An order of which it is certain that it did nothing may be another one next time. */
    private Rental queuedAgain(boolean elsewhere) {
      rental.phase = Rental.Phase.QUEUED;
      if (elsewhere) {
        rental.order = null;
      }
      return rental;
    }
  }
}
