package io.elastune.provisioner.aws.desk;

import io.elastune.provisioner.aws.account.Buckets;
import io.elastune.provisioner.aws.account.Directory;
import io.elastune.provisioner.aws.account.Ec2;
import io.elastune.provisioner.aws.account.PriceList;
import java.util.List;
import java.util.Optional;

/** How an account is asked; what is opened is closed by whoever has opened it. */
public interface AccountDoors {
  /** EC2 in a region. */
  Ec2 ec2(String region);

  /** The account's facts in a region. */
  Directory directory(String region);

  /** S3, asked in a region. */
  Buckets buckets(String region);

  /** What a region has, and what it costs. */
  PriceList prices(String region);

  /** The region that the user's AWS settings name, or one in which anything can be asked. */
  String usualRegion();

  /** All regions that are open to the account, asked of AWS. */
  List<String> regions();

  /** The name of the settings' file, for messages. */
  String settingsName();

  /** Whether the settings have a part about AWS. */
  boolean isSetUp();

  /** Why nothing can be asked: there are no credentials; empty if there are some. */
  Optional<String> absent();
}
