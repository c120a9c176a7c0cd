/* SPDX-License-Identifier: BSD-3-Clause */
/* Text and attributes in the XML that we write.  One rule for what XML 1.0 cannot carry (bytes that
 * are no UTF-8, most control characters, U+FFFE and U+FFFF): each becomes "?". */
#ifndef PSC_BASE_XML_TEXT_H
#define PSC_BASE_XML_TEXT_H

#include "base/buf.h"

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

/* In an element or between an attribute's double quotes; blanks come back as
 * they are.  NULL: nothing. */
void xml_text(struct buf *out, const char *s);
/* ` name="value"`; NULL: nothing. */
void xml_attribute(struct buf *out, const char *name, const char *value);

#endif
