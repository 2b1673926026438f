/**
 * The {@code Cloud} implementation for Google Cloud: launches, monitors and deletes instances of
 * Compute Engine.
 */
@NullMarked
package io.elastune.provisioner.gcp.cloud;

import org.jspecify.annotations.NullMarked;
