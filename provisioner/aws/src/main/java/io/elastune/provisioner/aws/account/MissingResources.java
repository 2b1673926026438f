package io.elastune.provisioner.aws.account;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Explains how to create or find a resource of the settings that the account does not have. */
final class MissingResources {
  /** Remedies by a substring of EC2's error message: its code or a part of its text. */
  private static final Map<String, String> HOW = new LinkedHashMap<>();

  static {
    HOW.put(
        "[InvalidAMIID",
        "image: aws ec2 describe-images --owners amazon --filters 'Name=name,Values=Deep Learning*GPU*'"
            + " lists those of this region");
    HOW.put("[InvalidSubnetID", "subnets: aws ec2 describe-subnets lists them with their zones");
    HOW.put(
        "[InvalidGroup",
        "security_groups: aws ec2 create-security-group --group-name elastune --description nodes"
            + " --vpc-id VPC creates one, in the VPC of the subnets");
    HOW.put(
        "[InvalidKeyPair",
        "key: aws ec2 create-key-pair --key-name NAME creates one; or omit it to disable SSH login");
    HOW.put(
        "[InvalidLaunchTemplate", "launch_template: aws ec2 describe-launch-templates lists them");
    HOW.put("[NoSuchBucket", "bucket: aws s3 mb s3://NAME --region REGION creates one");
    HOW.put(
        "nstance Profile",
        "instance_profile: aws iam create-instance-profile --instance-profile-name NAME, then aws iam"
            + " add-role-to-instance-profile; or omit it, so that nodes have no permissions");
  }

  private MissingResources() {}

  /** Returns the remedy for an error message of EC2, if it reports a missing resource. */
  static Optional<String> remedy(String message) {
    return HOW.entrySet().stream()
        .filter(how -> message.contains(how.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
