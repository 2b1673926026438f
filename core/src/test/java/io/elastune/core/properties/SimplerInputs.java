package io.elastune.core.properties;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Simplifies offers and profiles by one optional feature. */
final class SimplerInputs {
  private static final int OFFER_PARTS = 6;
  private static final int PROFILE_PARTS = 8;

  private SimplerInputs() {}

  static List<Offer> of(Offer offer) {
    return IntStream.range(0, OFFER_PARTS).mapToObj(part -> without(offer, part)).toList();
  }

  private static Offer without(Offer offer, int part) {
    Spread queueS = part == 0 ? Spread.NONE : offer.queueS();
    Spread bootS = part == 1 ? Spread.NONE : offer.bootS();
    return new Offer(
        offer.infra(),
        offer.instanceType(),
        offer.gpu(),
        offer.gpus(),
        offer.market(),
        offer.usdPerHour(),
        offer.price(),
        part == 3 ? BillingTerms.BY_THE_SECOND : offer.billing(),
        part == 2 ? Spread.exactly(queueS.mean()) : queueS,
        part == 2 ? Spread.exactly(bootS.mean()) : bootS,
        part == 4 ? 0 : offer.dataInUsd(),
        part == 5 ? 0 : offer.diskUsdPerHour(),
        offer.coresPerGpu());
  }

  static List<Profile> of(Profile profile) {
    return IntStream.range(0, PROFILE_PARTS).mapToObj(part -> without(profile, part)).toList();
  }

  private static Profile without(Profile profile, int part) {
    return ProfileBuilder.builder(profile)
        .secondsBySharing(part == 0 ? new TreeMap<>() : profile.secondsBySharing())
        .startupS(
            part == 1
                ? Spread.NONE
                : part == 2 ? Spread.exactly(profile.startupS().mean()) : profile.startupS())
        .trialCv(part == 3 ? 0 : profile.trialCv())
        .unitCv(part == 4 ? 0 : profile.unitCv())
        .straggler(part == 5 ? Straggler.NONE : profile.straggler())
        .samples(part == 6 ? List.of() : profile.samples())
        .instanceCv(part == 7 ? 0 : profile.instanceCv())
        .instanceStraggler(part == 7 ? Straggler.NONE : profile.instanceStraggler())
        .build();
  }
}
