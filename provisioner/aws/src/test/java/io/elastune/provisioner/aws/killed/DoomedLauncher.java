package io.elastune.provisioner.aws.killed;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.aws.account.RegionSettings;
import io.elastune.provisioner.aws.cloud.AwsCloud;
import io.elastune.provisioner.aws.cloud.Pace;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.testing.AwsWorld;
import io.elastune.provisioner.aws.testing.Requests;
import java.util.Map;

/** Launches instances through the real door, until it is killed. */
final class DoomedLauncher {
  static final int INSTANCES = 8;

  private DoomedLauncher() {}

  public static void main(String[] arguments) throws InterruptedException {
    RegionSettings settings = AwsWorld.settings();
    Cloud cloud =
        new AwsCloud(
            Map.of(AwsWorld.REGION, settings),
            SdkEc2::new,
            AwsWorld.TIME,
            Pace.REAL,
            event -> System.out.println(event.getClass().getSimpleName()));
    for (int i = 1; i <= INSTANCES; i++) {
      cloud.request(Requests.of(Requests.RUN + "-" + i));
    }
    System.out.println("asked");
    Thread.sleep(Long.MAX_VALUE);
  }
}
