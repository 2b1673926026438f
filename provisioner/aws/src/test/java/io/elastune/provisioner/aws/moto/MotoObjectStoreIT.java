package io.elastune.provisioner.aws.moto;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStoreContract;
import io.elastune.provisioner.aws.S3StoreProvider;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests buckets against moto's S3, which does not verify signatures. */
class MotoObjectStoreIT extends ObjectStoreContract {
  private static final List<String> PROPERTIES =
      List.of("aws.endpointUrl", "aws.accessKeyId", "aws.secretAccessKey", "aws.region");
  private static Moto moto;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    assumeTrue(
        Moto.isThere(), "python3 -m moto.server is not installed (pip install 'moto[server]')");
    moto = Moto.start();
    System.setProperty("aws.endpointUrl", moto.url());
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    System.setProperty("aws.region", "us-east-1");
    HttpRequest create =
        HttpRequest.newBuilder(URI.create(moto.url() + "/ckpts"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    HttpClient.newHttpClient().send(create, HttpResponse.BodyHandlers.discarding());
  }

  @AfterAll
  static void stop() {
    if (moto != null) {
      moto.close();
    }
    PROPERTIES.forEach(System::clearProperty);
  }

  @Override
  protected ObjectStore open(String bucket, InstantSource time) {
    return new S3StoreProvider().open(bucket, time);
  }

  @Override
  protected String bucket() {
    return "ckpts";
  }
}
