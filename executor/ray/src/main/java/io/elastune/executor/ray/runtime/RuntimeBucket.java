package io.elastune.executor.ray.runtime;

import io.elastune.executor.engine.NodeRuntime;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStores;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy of a runtime in a bucket. Its name is its checksum, so controllers that store the same
 * runtime at the same time replace it with itself. Thread-safe.
 */
public final class RuntimeBucket {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeBucket.class);
  private static final String FOLDER = "runtimes/";

  private final URI bucket;
  private final NodeRuntime runtime;
  private final InstantSource time;
  private final String name;

  /** The bucket, once the runtime is stored there. */
  private volatile Optional<ObjectStore> store = Optional.empty();

  /**
   * Creates the copy, which need not exist.
   *
   * @param bucket such as {@code s3://my-bucket}
   */
  public RuntimeBucket(String bucket, NodeRuntime runtime, InstantSource time) {
    this.bucket = URI.create(bucket);
    this.runtime = runtime;
    this.time = time;
    name = FOLDER + runtime.sha256() + ".tar.gz";
  }

  private ObjectStore open() {
    return ObjectStores.open(bucket.getScheme(), bucket.getRawAuthority(), time);
  }

  private boolean isStoredIn(ObjectStore opened) {
    return opened.find(name).filter(object -> object.size() == runtime.bytes()).isPresent();
  }

  /**
   * Returns whether the bucket has the runtime. Blocks.
   *
   * @throws CloudException if it cannot be read
   */
  public boolean isStored() {
    return isStoredIn(open());
  }

  /**
   * Stores the runtime, unless the bucket has it. Blocks until then. If it fails, a warning says
   * so. An interrupt ends it: nothing needs the runtime any more.
   */
  public void store() {
    tryStore().ifPresent(LOG::warn);
  }

  /** Returns why the runtime is not stored although instances need it; empty otherwise. */
  Optional<String> tryStore() {
    try {
      ObjectStore opened = open();
      if (!isStoredIn(opened)) {
        opened.upload(name, runtime.archive());
      }
      store = Optional.of(opened);
      return Optional.empty();
    } catch (CloudException | UncheckedIOException e) {
      if (Thread.currentThread().isInterrupted()) {
        LOG.info(
            "The run ended while the node runtime was being stored in {}. Nothing is lost: the"
                + " bucket has all of it or nothing, and the next run with instances stores it",
            bucket);
        return Optional.empty();
      }
      return Optional.of(
          "The node runtime was not stored in "
              + bucket
              + ", so this machine sends it to instances: "
              + e.getMessage());
    }
  }

  /**
   * Returns a URL of the runtime that is valid for some minutes and a secret. Empty if the runtime
   * is not stored, such as because an old object was deleted, or if it cannot be signed. Blocks.
   */
  public Optional<URI> url() {
    try {
      return store.filter(this::isStoredIn).map(opened -> opened.get(name).uri());
    } catch (CloudException e) {
      LOG.warn(
          "{} cannot be used, so this machine sends the node runtime to an instance: {}",
          bucket,
          e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns the URL of the bucket. */
  @Override
  public String toString() {
    return bucket.toString();
  }
}
