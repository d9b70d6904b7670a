/** Where the team is reached: a link where it is one, else as it was written. */
export function Contact({ contact }: { contact: string }) {
  if (!/^(https?:\/\/|mailto:)/i.test(contact)) return <> ({contact})</>;
  return (
    <>
      {" ("}
      <a href={contact} rel="noreferrer" target="_blank" className="underline underline-offset-2">
        {contact.replace(/^(https?:\/\/|mailto:)/i, "")}
      </a>
      )
    </>
  );
}
