package io.elastune.provisioner.aws.desk;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** How to make, or find, what the settings name and the account does not have. */
final class MissingParts {
  /** By what EC2's answer holds: its code, or a part of its sentence. */
  private static final Map<String, String> HOW = new LinkedHashMap<>();

  static {
    HOW.put(
        "[InvalidAMIID",
        "image: aws ec2 describe-images --owners amazon --filters 'Name=name,Values=Deep Learning*GPU*'"
            + " lists this region's");
    HOW.put("[InvalidSubnetID", "subnets: aws ec2 describe-subnets lists them with their zones");
    HOW.put(
        "[InvalidGroup",
        "security_groups: aws ec2 create-security-group --group-name elastune --description nodes"
            + " --vpc-id VPC makes one, in the subnets' VPC");
    HOW.put(
        "[InvalidKeyPair",
        "key: aws ec2 create-key-pair --key-name NAME makes one; or leave it out, then nobody can"
            + " log in");
    HOW.put(
        "[InvalidLaunchTemplate", "launch_template: aws ec2 describe-launch-templates lists them");
    HOW.put("[NoSuchBucket", "bucket: aws s3 mb s3://NAME --region REGION makes one");
    HOW.put(
        "nstance Profile",
        "instance_profile: aws iam create-instance-profile --instance-profile-name NAME, then aws iam"
            + " add-role-to-instance-profile; or leave it out, then nodes may do nothing");
  }

  private MissingParts() {}

  /** What to do about that answer of EC2's, if a part is missing. */
  static Optional<String> remedy(String message) {
    return HOW.entrySet().stream()
        .filter(how -> message.contains(how.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
