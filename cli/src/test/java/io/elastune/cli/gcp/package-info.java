/** Commands that rent on Google Cloud: its client library against our own Compute Engine. */
@NullMarked
package io.elastune.cli.gcp;

import org.jspecify.annotations.NullMarked;
