package io.elastune.provisioner.aws.account;

import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Ec2Instance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks by dry runs whether the calls that end, renew and observe an instance are permitted. If no
 * instance of Elastune exists, EC2 evaluates a condition on tags without tags: then a refusal is
 * not conclusive.
 */
final class PermissionChecks {
  private static final String NO_INSTANCE = "i-00000000000000000";

  private final Ec2 ec2;
  private final String region;
  private final Optional<String> instance;
  private final List<CheckResult> checkResults = new ArrayList<>();

  /** Creates the checks; {@code instances} are those of Elastune in the region. */
  PermissionChecks(Ec2 ec2, String region, List<Ec2Instance> instances) {
    this.ec2 = ec2;
    this.region = region;
    this.instance = instances.stream().map(Ec2Instance::id).findFirst();
  }

  List<CheckResult> run() {
    for (Ec2.DryRun call : Ec2.DryRun.values()) {
      check(call);
    }
    return checkResults;
  }

  private void check(Ec2.DryRun call) {
    String check = call.permission() + " " + region;
    try {
      ec2.dryRun(call, instance.orElse(NO_INSTANCE));
      checkResults.add(CheckResult.passed(check, "permitted, by a dry run"));
    } catch (CloudException e) {
      if (e.failure() instanceof CloudFailure.Invalid) { // reported only to permitted callers
        checkResults.add(CheckResult.passed(check, "permitted: EC2 looked for the resource"));
      } else if (e.failure() instanceof CloudFailure.Permission && !isConclusive(call)) {
        checkResults.add(unknown(call, check));
      } else {
        checkResults.add(AwsRemedies.REMEDIES.result(check, e.failure()));
      }
    }
  }

  private boolean isConclusive(Ec2.DryRun call) {
    return switch (call) {
      case TERMINATE, RENEW -> instance.isPresent();
      case CONSOLE -> true;
      case CREATE_GROUP, DELETE_GROUP -> false;
    };
  }

  private static CheckResult unknown(Ec2.DryRun call, String check) {
    boolean isGroup = call == Ec2.DryRun.CREATE_GROUP || call == Ec2.DryRun.DELETE_GROUP;
    return CheckResult.unknown(
        check,
        isGroup
            ? "refused; only needed for trials that are larger than an instance"
            : "refused for an instance that does not exist, as a policy with tag conditions does;"
                + " no Elastune instance exists to test it with",
        "aws iam simulate-principal-policy --policy-source-arn YOUR_ARN --action-names "
            + call.permission());
  }
}
