/** What EC2 offers, at which prices. */
@NullMarked
package io.elastune.provisioner.aws.offers;

import org.jspecify.annotations.NullMarked;
