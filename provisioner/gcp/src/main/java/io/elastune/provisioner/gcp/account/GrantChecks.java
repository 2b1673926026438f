package io.elastune.provisioner.gcp.account;

import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.gcp.model.ProjectServices;
import io.elastune.provisioner.gcp.model.RegionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Queries which permissions are granted ({@code testIamPermissions}), for those that no call for a
 * missing instance can prove. A permission that is not granted here may be granted by a condition,
 * or on a single resource such as a subnetwork of another project. So a check never fails because
 * of it. Permissions on instances are left out: they are bound with a condition.
 */
final class GrantChecks {
  private static final List<String> LAUNCH =
      List.of("compute.disks.create", "compute.disks.setLabels", "compute.subnetworks.use");

  private static final List<String> PLACEMENT =
      List.of(
          "compute.regionOperations.get",
          "compute.resourcePolicies.create",
          "compute.resourcePolicies.delete",
          "compute.resourcePolicies.list",
          "compute.resourcePolicies.use");

  private static final String ACT_AS = "iam.serviceAccounts.actAs";

  private final ProjectServices services;

  GrantChecks(ProjectServices services) {
    this.services = services;
  }

  /** Returns the checks for launches with these settings. */
  List<CheckResult> of(String region, RegionSettings settings) {
    List<String> launch = new ArrayList<>(LAUNCH);
    if (settings.publicAddress()) {
      launch.add("compute.subnetworks.useExternalIp");
    }
    List<CheckResult> checks = new ArrayList<>();
    checks.add(
        check(
            "permissions for launches in " + region,
            launch,
            "the project",
            () -> services.grantedOnProject(launch)));
    checks.add(
        check(
            "permissions for trials on several instances",
            PLACEMENT,
            "the project",
            () -> services.grantedOnProject(PLACEMENT)));
    settings
        .serviceAccount()
        .ifPresent(
            account ->
                checks.add(
                    check(
                        "permission for " + account,
                        List.of(ACT_AS),
                        "the service account",
                        () -> services.grantedOnAccount(account, List.of(ACT_AS)))));
    return checks;
  }

  private interface Question {
    Set<String> granted();
  }

  private static CheckResult check(
      String check, List<String> permissions, String resource, Question question) {
    Set<String> granted;
    try {
      granted = question.granted();
    } catch (CloudException e) {
      return CheckResult.unknown(
          check,
          String.join(", ", permissions) + " could not be checked: " + e.failure().message(),
          "see docs/gcp.md for the required role");
    }
    List<String> missing =
        permissions.stream().filter(permission -> !granted.contains(permission)).toList();
    return missing.isEmpty()
        ? CheckResult.passed(
            check, "granted on " + resource + ": " + String.join(", ", permissions))
        : CheckResult.unknown(
            check,
            "not granted on " + resource + ": " + String.join(", ", missing),
            "grant them as in docs/gcp.md, unless a condition or another resource grants them");
  }
}
