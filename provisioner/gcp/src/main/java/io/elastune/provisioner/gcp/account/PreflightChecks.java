package io.elastune.provisioner.gcp.account;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.Gcp;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.MachineShape;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.gcp.model.ProjectServices;
import io.elastune.provisioner.gcp.model.ProjectSettings;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.remote.ClockSkewCheck;
import io.elastune.provisioner.remote.Location;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Checks whether instances can be created, and names what is missing and how to create it. */
final class PreflightChecks {
  private static final String SETTINGS = "settings";

  private final AccountClients doors;
  private final ProjectSettings settings;
  private final InstantSource time;
  private final List<CheckResult> checkResults = new ArrayList<>();

  PreflightChecks(AccountClients doors, ProjectSettings settings, InstantSource time) {
    this.doors = doors;
    this.settings = settings;
    this.time = time;
  }

  static CheckResult missingSettings(String file) {
    return CheckResult.failed(
        SETTINGS + " gcp",
        file
            + " is missing or has no gcp section: it defines how instances are created in your"
            + " project",
        "create it; see docs/gcp.md for an example",
        RefusalReason.INVALID);
  }

  List<CheckResult> run(CapacityRequest capacityRequest) {
    Set<String> regions =
        capacityRequest.places().isEmpty()
            ? settings.regions().keySet()
            : capacityRequest.places().stream()
                .flatMap(infra -> Location.parse(Gcp.PROVIDER, infra).stream())
                .map(Location::region)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    try (ProjectApi projectApi = doors.directory();
        Compute compute = doors.compute()) {
      if (identity(projectApi)) {
        probe(
            "compute.instances.list",
            () ->
                "permitted: "
                    + compute.listByLabel(Tags.RUN).instances().size()
                    + " Elastune instances");
        ProjectServices services = doors.services();
        QuotaChecks quotaChecks = new QuotaChecks(services, capacityRequest.instances());
        for (String region : regions) {
          RegionSettings regionSettings = settings.regions().get(region);
          if (regionSettings == null) {
            checkResults.add(missingRegion(region));
          } else {
            region(region, regionSettings, capacityRequest, projectApi, compute, quotaChecks);
            checkResults.addAll(new GrantChecks(services).of(region, regionSettings));
          }
        }
      }
    } catch (CloudException e) { // without credentials or a project, no client can be created
      checkResults.add(GcpRemedies.REMEDIES.result("credentials gcp", e.failure()));
    }
    return checkResults;
  }

  private CheckResult missingRegion(String region) {
    return CheckResult.failed(
        SETTINGS + " " + region,
        doors.settingsName() + " has no region " + region,
        "add gcp.regions." + region + " to it; see docs/gcp.md",
        RefusalReason.INVALID);
  }

  private void region(
      String region,
      RegionSettings some,
      CapacityRequest capacityRequest,
      ProjectApi projectApi,
      Compute compute,
      QuotaChecks quotaChecks) {
    checkResults.add(CheckResult.passed(SETTINGS + " " + region, doors.settingsName()));
    Optional<List<String>> zones = zones(region, some, compute);
    zones.ifPresent(
        there ->
            checkResults.addAll(
                new PermissionChecks(compute, some, there.get(0), time.instant().toString())
                    .run()));
    List<Offer> offers =
        capacityRequest.offers().stream()
            .filter(
                o ->
                    Location.parse(Gcp.PROVIDER, o.infra())
                        .filter(p -> p.region().equals(region))
                        .isPresent())
            .toList();
    if (!offers.isEmpty() && zones.isPresent()) {
      types(projectApi, region, offers, zones.get());
      quotas(projectApi, quotaChecks, region, offers);
    }
  }

  private boolean identity(ProjectApi projectApi) {
    Optional<ProjectApi.Identity> who =
        probe(
            "credentials gcp",
            projectApi::identity,
            identity -> identity.principal() + ", project " + identity.project());
    who.ifPresent(
        identity ->
            checkResults.add(ClockSkewCheck.check("clock gcp", "Google", identity.ahead())));
    return who.isPresent();
  }

  private Optional<List<String>> zones(String region, RegionSettings some, Compute compute) {
    Optional<List<String>> there =
        probe("zones of " + region, () -> compute.zones(region), list -> String.join(", ", list));
    if (there.isEmpty() || some.zones().isEmpty()) {
      return there.filter(list -> !list.isEmpty());
    }
    List<String> ours = some.zones().stream().filter(there.get()::contains).toList();
    if (ours.isEmpty()) {
      checkResults.add(
          CheckResult.failed(
              "zones of the settings",
              some.zones() + " are not among " + there.get(),
              "correct gcp.regions." + region + ".zones",
              RefusalReason.INVALID));
      return Optional.empty();
    }
    return Optional.of(ours);
  }

  private void types(ProjectApi projectApi, String region, List<Offer> offers, List<String> ours) {
    probe(
        "types in " + region,
        () -> projectApi.gpuTypes(region),
        types -> {
          types(types, offers, region, ours);
          return types.size() + " machine types with GPUs";
        });
  }

  private void types(
      Map<GpuType, List<String>> types, List<Offer> offers, String region, List<String> ours) {
    for (String type : offers.stream().map(Offer::instanceType).distinct().sorted().toList()) {
      List<String> zones =
          types.entrySet().stream()
              .filter(some -> some.getKey().matches(MachineShape.of(type)))
              .flatMap(some -> some.getValue().stream())
              .distinct()
              .toList();
      List<String> both = zones.stream().filter(ours::contains).sorted().toList();
      checkResults.add(
          both.isEmpty()
              ? CheckResult.failed(
                  "zones with " + type,
                  type
                      + " is available in "
                      + (zones.isEmpty() ? "no zone of " + region : zones)
                      + "; the settings allow "
                      + ours,
                  "try another type, zone or region",
                  RefusalReason.CAPACITY)
              : CheckResult.passed("zones with " + type, String.join(", ", both)));
    }
  }

  private void quotas(
      ProjectApi projectApi, QuotaChecks quotaChecks, String region, List<Offer> offers) {
    probe(
        "quotas of " + region,
        () -> projectApi.quotas(region),
        allowed -> {
          List<CheckResult> found = quotaChecks.ofRegion(region, offers, allowed);
          checkResults.addAll(found);
          return found.size() + " of them apply";
        });
    probe(
        "quotas of the project",
        projectApi::quotas,
        allowed -> {
          checkResults.add(quotaChecks.ofProject(offers, allowed));
          return "read";
        });
  }

  private void probe(String check, Supplier<String> question) {
    probe(check, question, text -> text);
  }

  private <T> Optional<T> probe(String check, Supplier<T> question, Function<T, String> detail) {
    try {
      T answer = question.get();
      checkResults.add(CheckResult.passed(check, detail.apply(answer)));
      return Optional.of(answer);
    } catch (CloudException e) {
      checkResults.add(GcpRemedies.REMEDIES.result(check, e.failure()));
      return Optional.empty();
    }
  }
}
