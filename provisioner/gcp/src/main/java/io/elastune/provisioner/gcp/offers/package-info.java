/** What Compute Engine offers, at which prices. */
@NullMarked
package io.elastune.provisioner.gcp.offers;

import org.jspecify.annotations.NullMarked;
