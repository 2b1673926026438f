/** The door to Google Cloud: what is asked of Compute Engine, when, and what its answers mean. */
@NullMarked
package io.elastune.provisioner.gcp.cloud;

import org.jspecify.annotations.NullMarked;
