package io.elastune.provisioner.aws.account;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.VcpuQuota;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Compares the quotas of a region, minus their present use, with what a job may rent. */
final class QuotaChecks {
  private final AccountApi accountApi;
  private final String region;
  private final int instances;
  private final List<CheckResult> checkResults = new ArrayList<>();

  QuotaChecks(AccountApi accountApi, String region, int instances) {
    this.accountApi = accountApi;
    this.region = region;
    this.instances = instances;
  }

  List<CheckResult> run(Map<String, Market> types) {
    Map<VcpuQuota, Integer> needed = new LinkedHashMap<>();
    types.forEach(
        (type, market) ->
            VcpuQuota.of(type, market)
                .ifPresentOrElse(
                    quota -> need(type, quota, needed),
                    () -> checkResults.add(unknownQuota(type, market))));
    needed.forEach(this::check);
    return checkResults;
  }

  private CheckResult unknownQuota(String type, Market market) {
    return CheckResult.unknown(
        "quota of " + type + ", " + market.word(),
        "which quota counts this type is unknown",
        "see the quotas of EC2 at https://"
            + region
            + ".console.aws.amazon.com/servicequotas/home/services/ec2/quotas");
  }

  private void need(String type, VcpuQuota quota, Map<VcpuQuota, Integer> needed) {
    String check = "vCPUs of " + type;
    try {
      OptionalInt vcpus = accountApi.vcpus(type);
      if (vcpus.isPresent()) {
        needed.merge(quota, instances * vcpus.getAsInt(), Math::max);
        return;
      }
      checkResults.add(
          CheckResult.unknown(
              check,
              "EC2 does not describe this type in " + region + "; its quota is not compared",
              "aws ec2 describe-instance-types --region " + region + " --instance-types " + type));
    } catch (CloudException e) {
      checkResults.add(AwsRemedies.REMEDIES.result(check, e.failure()));
    }
  }

  private void check(VcpuQuota quota, int need) {
    String check = "quota " + quota.text();
    int allowed;
    try {
      allowed = accountApi.quotaLimit(quota);
    } catch (CloudException e) {
      checkResults.add(
          CheckResult.unknown(
              check,
              "up to " + need + " vCPUs are needed; " + e.failure().message(),
              "see https://"
                  + region
                  + ".console.aws.amazon.com/servicequotas/home/services/ec2/quotas/"
                  + quota.code()));
      return;
    }
    try {
      int used = accountApi.quotaUsage(quota);
      String text =
          "%d vCPUs allowed, %d in use, up to %d needed for %d instances"
              .formatted(allowed, used, need, instances);
      checkResults.add(
          allowed - used >= need
              ? CheckResult.passed(check, text)
              : AwsRemedies.REMEDIES.result(check, new CloudFailure.QuotaExceeded(text)));
    } catch (CloudException e) {
      checkResults.add(AwsRemedies.REMEDIES.result(check, e.failure()));
    }
  }
}
