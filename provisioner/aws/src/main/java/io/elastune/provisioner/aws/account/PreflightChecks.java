package io.elastune.provisioner.aws.account;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.Aws;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.remote.ClockSkewCheck;
import io.elastune.provisioner.remote.Location;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Checks whether instances can be launched, and reports what is missing and how to create it. */
public final class PreflightChecks {
  private static final String SETTINGS = "settings";

  /** The instance type of the dry run if the request names none. */
  private static final String ANY_TYPE = "g4dn.xlarge";

  private static final int MOST_TYPES = 8;

  private final AccountClients clients;
  private final Map<String, RegionSettings> settings;

  public PreflightChecks(AccountClients clients, Map<String, RegionSettings> settings) {
    this.clients = clients;
    this.settings = new LinkedHashMap<>(settings);
  }

  static CheckResult missingSettings(String file) {
    return CheckResult.failed(
        SETTINGS,
        file + " not found: it defines how instances are launched in your AWS account",
        "create it; see docs/aws.md for an example",
        RefusalReason.INVALID);
  }

  List<CheckResult> run(CapacityRequest capacityRequest) {
    List<CheckResult> checkResults = new ArrayList<>();
    Set<String> regions =
        capacityRequest.places().isEmpty()
            ? settings.keySet()
            : capacityRequest.places().stream()
                .flatMap(infra -> Location.parse(Aws.PROVIDER, infra).stream())
                .map(Location::region)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    for (String region : regions) {
      Optional.ofNullable(settings.get(region))
          .ifPresentOrElse(
              regionSettings ->
                  checkResults.addAll(
                      new RegionChecks(region, regionSettings, capacityRequest).run()),
              () -> checkResults.add(noRegion(region)));
    }
    return checkResults;
  }

  private CheckResult noRegion(String region) {
    return CheckResult.failed(
        SETTINGS + " " + region,
        clients.settingsName() + " has no region " + region,
        "add aws." + region + " to it; see docs/aws.md",
        RefusalReason.INVALID);
  }

  /** The checks of one region. */
  private final class RegionChecks {
    private final String region;
    private final RegionSettings regionSettings;
    private final List<Offer> offers;
    private final int instances;
    private final List<CheckResult> checkResults = new ArrayList<>();

    RegionChecks(String region, RegionSettings regionSettings, CapacityRequest capacityRequest) {
      this.region = region;
      this.regionSettings = regionSettings;
      this.instances = capacityRequest.instances();
      offers =
          capacityRequest.offers().stream()
              .filter(
                  o ->
                      Location.parse(Aws.PROVIDER, o.infra())
                          .filter(p -> p.region().equals(region))
                          .isPresent())
              .toList();
    }

    List<CheckResult> run() {
      checkResults.add(CheckResult.passed(SETTINGS + " " + region, clients.settingsName()));
      try (AccountApi accountApi = clients.directory(region);
          Ec2 ec2 = clients.ec2(region)) {
        if (identity(accountApi)) {
          Optional<List<Ec2Instance>> existing =
              addResult(
                  "ec2:DescribeInstances " + region,
                  () -> ec2.listByTag("elastune-run"),
                  list -> "permitted: " + list.size() + " Elastune instances");
          Map<String, Market> types = types();
          launches(ec2, types);
          existing.ifPresent(
              list -> checkResults.addAll(new PermissionChecks(ec2, region, list).run()));
          prices();
          if (types.containsValue(Market.SPOT)) {
            addResult(
                "ec2:DescribeSpotInstanceRequests " + region,
                () ->
                    "permitted: "
                        + ec2.interruptionNotices(List.of("i-0")).size()
                        + " interruption notices");
          }
          regionSettings.bucket().ifPresent(this::bucket);
          if (!offers.isEmpty()) {
            types.keySet().forEach(type -> zones(accountApi, type));
            checkResults.addAll(new QuotaChecks(accountApi, region, instances).run(types));
          }
        }
      }
      return checkResults;
    }

    private Map<String, Market> types() {
      Map<String, Market> types = new LinkedHashMap<>();
      offers.stream()
          .limit(MOST_TYPES)
          .forEach(offer -> types.put(offer.instanceType(), offer.market()));
      return types.isEmpty() ? Map.of(ANY_TYPE, Market.ON_DEMAND) : types;
    }

    private boolean identity(AccountApi accountApi) {
      Optional<AccountApi.Identity> who =
          addResult("credentials " + region, accountApi::identity, AccountApi.Identity::arn);
      who.ifPresent(
          identity -> checkResults.add(ClockSkewCheck.check("clock", "AWS", identity.ahead())));
      return who.isPresent();
    }

    /** Tries all types in the first zone, and the first type in every other zone. */
    private void launches(Ec2 ec2, Map<String, Market> types) {
      List<Optional<String>> zones = regionSettings.zones();
      types.forEach((type, market) -> launch(ec2, type, market, zones.get(0)));
      Map.Entry<String, Market> first = types.entrySet().iterator().next();
      zones.stream().skip(1).forEach(zone -> launch(ec2, first.getKey(), first.getValue(), zone));
    }

    private void prices() {
      addResult(
          "pricing:GetProducts " + region,
          () -> {
            try (PriceList prices = clients.prices(region)) {
              return "permitted: prices of " + prices.onDemand().size() + " types";
            }
          });
    }

    /** Makes a dry run, in which AWS checks permissions, image, network and profile. */
    private void launch(Ec2 ec2, String type, Market market, Optional<String> zone) {
      LaunchRequest order =
          new LaunchRequest(
              "elastune-check",
              type,
              market,
              zone,
              regionSettings,
              Map.of("elastune-run", "check"),
              "");
      addResult(
          "launch " + type + " in " + zone.orElse(region),
          () -> {
            ec2.dryRunLaunch(order);
            return "a dry run of ec2:RunInstances succeeded";
          });
    }

    private void bucket(String name) {
      addResult(
          "bucket " + name,
          () -> {
            String there = clients.buckets(region).regionOf(name);
            return there.equals(region)
                ? "exists in " + region
                : "exists, but in " + there + ": AWS charges for transfers between regions";
          });
    }

    private void zones(AccountApi accountApi, String type) {
      addResult(
          "zones with " + type,
          () -> {
            Set<String> zones = accountApi.zonesOf(type);
            List<String> usableZones =
                regionSettings.subnets().isEmpty()
                    ? List.copyOf(zones)
                    : regionSettings.subnets().keySet().stream().filter(zones::contains).toList();
            if (usableZones.isEmpty()) {
              throw new CloudException(
                  new CloudFailure.Capacity(
                      type
                          + " is available in "
                          + (zones.isEmpty()
                              ? "no zone of " + region
                              : zones.stream().sorted().toList())
                          + ", but the settings only have subnets in "
                          + regionSettings.subnets().keySet()));
            }
            return String.join(", ", usableZones);
          });
    }

    private void addResult(String check, Supplier<String> question) {
      addResult(check, question, text -> text);
    }

    private <T> Optional<T> addResult(
        String check, Supplier<T> question, Function<T, String> detail) {
      try {
        T answer = question.get();
        checkResults.add(CheckResult.passed(check, detail.apply(answer)));
        return Optional.of(answer);
      } catch (CloudException e) {
        checkResults.add(AwsRemedies.REMEDIES.result(check, e.failure()));
        return Optional.empty();
      }
    }
  }
}
